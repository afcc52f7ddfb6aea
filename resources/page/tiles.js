// Tiles and their colours. The page's first data block is the JSON of ui/figures/files/page_data.cpp; each one after
// it is the tiles of a grid, deflated, a byte for each cell.

const page = JSON.parse(document.querySelector('script[type="application/json"]').textContent);
const darkness = matchMedia('(prefers-color-scheme: dark)');
const colourMaps = page.colours.map(pixelColours);  // on light, on dark
let isPrinting = false;

const INKS = [
    {ink: '#1d232b', quiet: '#5b6472', frame: '#cbd1d9', halo: '#ffffffcc', key: '#cf222e', query: '#0b6e99',
     hatchings: [['#f4f5f7', '#b4bbc6'], ['#ebf3f7', '#6da8c2']]},
    {ink: '#e6e9ed', quiet: '#9aa4b1', frame: '#3a424c', halo: '#15181ccc', key: '#ff7b72', query: '#58b7e0',
     hatchings: [['#22262b', '#5a6470'], ['#1f2a30', '#4f8aa5']]}];
const scheme = () => darkness.matches && !isPrinting ? 1 : 0;
const inks = () => INKS[scheme()];

async function unpacked(base64) {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; ++at)
        bytes[at] = text.charCodeAt(at);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The pixels of an ImageData for 256 colours of six hexadecimal digits.
function pixelColours(hex) {
    const bytes = new Uint8ClampedArray(4 * 256).fill(255);
    for (let at = 0; at < 3 * 256; ++at)
        bytes[4 * Math.floor(at / 3) + at % 3] = parseInt(hex.slice(2 * at, 2 * at + 2), 16);
    return new Uint32Array(bytes.buffer);
}

// The tiles of a grid in several sizes, each of half the sides of the one before.
class Tiles {
    constructor([columns, rows], cells) {
        this.size = columns * rows;
        this.count = cells.length / this.size;
        this.levels = [{columns, rows, cells}];
        while (Math.max(this.levels.at(-1).columns, this.levels.at(-1).rows) > 4)
            this.levels.push(this.halved(this.levels.at(-1)));
    }

    cells(index) {
        return this.levels[0].cells.subarray(index * this.size, (index + 1) * this.size);
    }

    // Each cell is the largest of four.
    halved({columns, rows, cells}) {
        const [across, down] = [(columns + 1) >> 1, (rows + 1) >> 1];
        const result = new Uint8Array(this.count * across * down);
        for (let tile = 0, from = 0; tile < this.count; ++tile)
            for (let row = 0; row < rows; ++row)
                for (let column = 0; column < columns; ++column, ++from) {
                    const to = (tile * down + (row >> 1)) * across + (column >> 1);
                    result[to] = Math.max(result[to], cells[from]);
                }
        return {columns: across, rows: down, cells: result};
    }

    // Draws tiles that get `pixels` device pixels, from the largest size that loses no cell.
    painter(context, pixels) {
        const level = this.levels.find(one => Math.max(one.columns, one.rows) <= pixels) ?? this.levels.at(-1);
        const {canvas, across} = (level.atlases ??= [])[scheme()] ??= this.atlas(level);
        context.imageSmoothingEnabled = false;
        return (index, x, y, width, height) =>
            context.drawImage(canvas, index % across * level.columns, Math.floor(index / across) * level.rows,
                              level.columns, level.rows, x, y, width, height);
    }

    // All tiles beside each other in colour, so that a frame needs only copies.
    atlas({columns, rows, cells}) {
        const across = Math.ceil(Math.sqrt(this.count));
        const picture = new ImageData(across * columns, Math.ceil(this.count / across) * rows);
        const pixels = new Uint32Array(picture.data.buffer);
        for (let index = 0, from = 0; index < this.count; ++index) {
            const colours = this.colours(index);
            const corner = Math.floor(index / across) * rows * picture.width + index % across * columns;
            for (let row = 0; row < rows; ++row)
                for (let column = 0; column < columns; ++column)
                    pixels[corner + row * picture.width + column] = colours[cells[from++]];
        }
        const canvas = Object.assign(document.createElement('canvas'), {width: picture.width, height: picture.height});
        canvas.getContext('2d').putImageData(picture, 0, 0);
        return {canvas, across};
    }

    // A colour for each of a cell's values.
    colours(index) {
        const most = page.isPerHead && this.cells(index).reduce((a, b) => Math.max(a, b), 0) || 255;
        const level = value => page.levels[Math.min(255, Math.round(255 * value / most))];
        return page.levels.map((_, value) => colourMaps[scheme()][level(value)]);
    }
}
