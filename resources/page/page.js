
// Grids of attention heads to zoom, pan and hover. Everything shown is in this file: the first data block is the JSON
// of ui/figures/files/page_data.cpp, each one after it the tiles of a grid, deflated, a byte for each cell.
'use strict';
(() => {

const GAP = 0.09, BLOCK_GAP = 0.4;  // between tiles and blocks of tiles, in sides of a tile
const LEFT = 34, TOP = 17;          // room for headings, in CSS pixels
const LABEL_FROM = 40;              // sides of tiles that have room for their name, in CSS pixels
const MOST_ZOOM = 60;
const INKS = {
    light: {ink: '#1d232b', quiet: '#5b6472', frame: '#cbd1d9', halo: '#ffffffcc', key: '#cf222e', query: '#0b6e99',
            hatch: [['#f4f5f7', '#b4bbc6'], ['#ebf3f7', '#6da8c2']]},
    dark: {ink: '#e6e9ed', quiet: '#9aa4b1', frame: '#3a424c', halo: '#15181ccc', key: '#ff7b72', query: '#58b7e0',
           hatch: [['#22262b', '#5a6470'], ['#1f2a30', '#4f8aa5']]}};

const page = JSON.parse(document.querySelector('script[type="application/json"]').textContent);
const darkness = matchMedia('(prefers-color-scheme: dark)');
const view = {zoom: 1, x: 0.5, y: 0.5};  // of all grids; x and y: the share of a grid that is in the middle
const grids = [];
let pinned = null;      // {grid, index, query: [first, last], key: [first, last]}, positions of tokens
let hovered = null;     // the same; query or key may be missing
let opened = null;      // {grid, index}: the head that is shown large
let isPrinting = false;
let isWaiting = false;  // for the next frame

const byId = id => document.getElementById(id);
const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
const isDark = () => darkness.matches && !isPrinting;
const inks = () => isDark() ? INKS.dark : INKS.light;
const nameOf = head => `L${head[0]}H${head[1]}`;
const quote = text => `“${text}”`;

function add(parent, name, properties = {}) {
    const element = parent.appendChild(document.createElement(name));
    return Object.assign(element, properties);
}

async function unpacked(base64) {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; ++at)
        bytes[at] = text.charCodeAt(at);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The colour map as pixels of an ImageData.
function pixelColours(hex) {
    const bytes = new Uint8ClampedArray(4 * 256);
    for (let level = 0; level < 256; ++level)
        for (let channel = 0; channel < 4; ++channel)
            bytes[4 * level + channel] = channel == 3 ? 255 : parseInt(hex.substr(6 * level + 2 * channel, 2), 16);
    return new Uint32Array(bytes.buffer);
}
const colourMaps = page.colours.map(pixelColours);  // on light, on dark

// Tiles of half the side, each cell the largest of four.
function halved({side, cells}, count) {
    const half = (side + 1) >> 1;
    const result = new Uint8Array(count * half * half);
    for (let tile = 0, from = 0; tile < count; ++tile)
        for (let row = 0; row < side; ++row)
            for (let column = 0; column < side; ++column, ++from) {
                const to = (tile * half + (row >> 1)) * half + (column >> 1);
                if (cells[from] > result[to])
                    result[to] = cells[from];
            }
    return {side: half, cells: result};
}

// One grid. Its geometry is in CSS pixels of its stage; a tile's side is `unit`, its corner (xs[column], ys[row]).
class Grid {
    constructor(data, cells) {
        Object.assign(this, data);
        const count = this.heads.length;
        this.levels = [{side: this.side, cells}];
        while (this.levels.at(-1).side > 4)
            this.levels.push(halved(this.levels.at(-1), count));
        this.peaks = this.heads.map((_, index) => this.tile(index).reduce((a, b) => Math.max(a, b), 0));
        this.indexAt = new Map(this.heads.map((head, index) => [head[3] * this.columns + head[2], index]));
        this.breadth = this.place(this.columns - 1, 0) + 1;
        this.length_ = this.place(this.rows - 1, 1) + 1;
        this.current = 0;  // the tile that has the focus
        this.compose();
    }

    place(number, axis) {
        return number * (1 + GAP) + Math.floor(number / this.block[axis]) * BLOCK_GAP;
    }

    compose() {
        const figure = add(byId('grids'), 'figure');
        const caption = add(figure, 'figcaption');
        add(caption, 'b', {textContent: this.title});
        add(caption, 'span', {textContent: this.caption});
        this.stage = add(figure, 'div', {className: 'stage'});
        if (!this.heads.length) {
            add(this.stage, 'p', {className: 'quiet', textContent: 'No head of this model was chosen.'});
            return;
        }
        this.canvas = add(this.stage, 'canvas', {ariaHidden: 'true'});
        this.marks = add(this.stage, 'canvas', {ariaHidden: 'true'});
        this.button = add(this.stage, 'button', {type: 'button'});
        this.button.setAttribute('aria-roledescription', 'head');
        listenToStage(this);
        new ResizeObserver(() => {
            this.resize();
            redraw();
        }).observe(this.stage);
        this.resize();
    }

    resize() {
        this.width = this.stage.clientWidth;
        this.height = this.stage.clientHeight;
    }

    tile(index) {
        const cells = this.side * this.side;
        return this.levels[0].cells.subarray(index * cells, (index + 1) * cells);
    }

    layOut() {
        const room = [Math.max(this.width - LEFT - 2, 1), Math.max(this.height - TOP - 2, 1)];
        this.fit = Math.min(room[0] / this.breadth, room[1] / this.length_);
        this.unit = this.fit * view.zoom;
        const begin = (share, total, space, margin) =>
            total <= space ? margin : clamp(margin + space / 2 - share * total, margin + space - total, margin);
        this.x = begin(view.x, this.breadth * this.unit, room[0], LEFT);
        this.y = begin(view.y, this.length_ * this.unit, room[1], TOP);
        this.room = room;
        const corners = (count, axis, start) =>
            Array.from({length: count}, (_, number) => start + this.place(number, axis) * this.unit);
        this.xs = corners(this.columns, 0, this.x);
        this.ys = corners(this.rows, 1, this.y);
    }

    // The share of the grid that is in the middle; within what can be.
    middle(x, y) {
        const shareOf = (value, total, space) =>
            total <= space ? 0.5 : clamp(value, space / 2 / total, 1 - space / 2 / total);
        return [shareOf(x, this.breadth * this.unit, this.room[0]), shareOf(y, this.length_ * this.unit, this.room[1])];
    }

    // What lies under a point: the tile, and the cell in it.
    hit(x, y) {
        const find = (corners, at) => corners.findIndex(corner => corner <= at && at < corner + this.unit);
        const column = x < LEFT ? -1 : find(this.xs, x), row = y < TOP ? -1 : find(this.ys, y);
        const index = column < 0 || row < 0 ? undefined : this.indexAt.get(row * this.columns + column);
        return index === undefined ? null
            : this.cellOf(index, (x - this.xs[column]) / this.unit, (y - this.ys[row]) / this.unit);
    }

    cellOf(index, x, y) {
        const span = share => {
            const cell = clamp(Math.floor(share * this.side), 0, this.side - 1);
            const begin = number => Math.ceil(number * this.length / this.side);
            return [begin(cell), begin(cell + 1) - 1];
        };
        return {grid: this, index, query: span(y), key: span(x)};
    }

    // First and last cell of a span of positions.
    cells(span) {
        return span.map(position => Math.floor(position * this.side / this.length));
    }

    weight(index, query, key) {
        return this.tile(index)[this.cells(query)[0] * this.side + this.cells(key)[0]] / 255;
    }

    // All tiles of a level beside each other in colour, made when it is first needed.
    atlas(level) {
        const maps = level.atlases ??= [];
        const which = isDark() ? 1 : 0;
        if (maps[which])
            return maps[which];
        const {side, cells} = level, count = this.heads.length;
        const across = Math.ceil(Math.sqrt(count));
        const picture = new ImageData(across * side, Math.ceil(count / across) * side);
        const pixels = new Uint32Array(picture.data.buffer);
        for (let index = 0, from = 0; index < count; ++index) {
            const colours = this.colours(index, which);
            const corner = Math.floor(index / across) * side * picture.width + index % across * side;
            for (let row = 0; row < side; ++row)
                for (let column = 0; column < side; ++column)
                    pixels[corner + row * picture.width + column] = colours[cells[from++]];
        }
        const canvas = document.createElement('canvas');
        canvas.width = picture.width;
        canvas.height = picture.height;
        canvas.getContext('2d').putImageData(picture, 0, 0);
        return maps[which] = {canvas, across, side};
    }

    // A colour for each of a cell's values.
    colours(index, which) {
        const most = page.isPerHead && this.peaks[index] || 255;
        return page.levels.map((_, value) =>
            colourMaps[which][page.levels[Math.min(255, Math.round(255 * value / most))]]);
    }

    begin(canvas, ratio) {
        const width = Math.round(this.width * ratio), height = Math.round(this.height * ratio);
        const context = canvas.getContext('2d');
        if (canvas.width != width || canvas.height != height) {
            canvas.width = width;
            canvas.height = height;
        }
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.clearRect(0, 0, width, height);
        return context;
    }

    // Calls draw(index, left, top, width, height) with whole device pixels for each tile that is to be seen.
    eachTile(ratio, draw) {
        const pixels = (corners, most) => corners.map(corner =>
            corner + this.unit < 0 || corner > most ? null
                : [Math.round(corner * ratio), Math.round((corner + this.unit) * ratio)]);
        const xs = pixels(this.xs, this.width), ys = pixels(this.ys, this.height);
        this.heads.forEach((head, index) => {
            const x = xs[head[2]], y = ys[head[3]];
            if (x && y)
                draw(index, x[0], y[0], x[1] - x[0], y[1] - y[0]);
        });
    }

    draw(ratio = devicePixelRatio) {
        this.layOut();
        const context = this.begin(this.canvas, ratio);
        const ink = inks();
        const room = this.unit * ratio;
        const atlas = this.atlas(this.levels.find(level => level.side <= room) ?? this.levels.at(-1));
        const frame = Math.max(1, Math.round(ratio));
        context.imageSmoothingEnabled = false;
        context.save();
        context.beginPath();
        context.rect((LEFT - 2) * ratio, (TOP - 2) * ratio, this.width * ratio, this.height * ratio);
        context.clip();
        context.fillStyle = ink.frame;
        this.eachTile(ratio, (index, x, y, width, height) => {
            context.fillRect(x - frame, y - frame, width + 2 * frame, height + 2 * frame);
            const {side, across} = atlas;
            context.drawImage(atlas.canvas, index % across * side, Math.floor(index / across) * side, side, side,
                              x, y, width, height);
        });
        this.eachTile(ratio, (index, x, y, width, height) => {
            if (this.heads[index][4])
                hatch(context, ink.hatch[this.heads[index][4] - 1], this.heads[index][4] == 2, x, y, width, height);
        });
        if (this.unit >= LABEL_FROM)
            this.drawNames(context, ratio, ink);
        context.restore();
        this.drawHeadings(context, ratio, ink);
    }

    drawNames(context, ratio, ink) {
        const size = clamp(0.17 * this.unit, 9, 13) * ratio;
        context.font = `600 ${size}px system-ui, sans-serif`;
        context.textAlign = 'right';
        context.textBaseline = 'top';
        context.lineWidth = 3 * ratio;
        context.lineJoin = 'round';
        context.strokeStyle = ink.halo;
        context.fillStyle = ink.ink;
        this.eachTile(ratio, (index, x, y, width) => {
            const at = [nameOf(this.heads[index]), x + width - 3 * ratio, y + 3 * ratio];
            context.strokeText(...at);
            context.fillText(...at);
        });
    }

    // Of rows at the left edge and of columns at the top, wherever the view is; with gaps where they would touch.
    drawHeadings(context, ratio, ink) {
        context.font = `${11 * ratio}px system-ui, sans-serif`;
        context.fillStyle = ink.quiet;
        context.textBaseline = 'middle';
        const inBlock = [this.columns, this.rows].map((count, axis) => Math.min(count, this.block[axis]));
        const heading = (head, isLayer) => isLayer ? `L${head[0]}` : `H${head[1]}`;
        const thin = (corners, size, block, draw) => {
            const step = Math.ceil(size / (this.unit * (1 + GAP)));
            corners.forEach((corner, number) => number % block % step || draw(corner + this.unit / 2, number));
        };
        const firstColumn = Math.max(0, this.xs.findIndex(corner => corner + this.unit > LEFT));
        const firstRow = Math.max(0, this.ys.findIndex(corner => corner + this.unit > TOP));
        context.textAlign = 'right';
        thin(this.ys, 12, inBlock[1], (middle, row) => {
            const head = this.firstHead(number => row * this.columns + number, firstColumn, this.columns);
            if (head && middle > TOP && middle < this.height)
                context.fillText(this.isMatrix ? heading(head, !this.layersAcross) : nameOf(head),
                                 (LEFT - 5) * ratio, middle * ratio);
        });
        if (!this.isMatrix)
            return;
        context.textAlign = 'center';
        thin(this.xs, 26, inBlock[0], (middle, column) => {
            const head = this.firstHead(number => number * this.columns + column, firstRow, this.rows);
            if (head && middle > LEFT && middle < this.width)
                context.fillText(heading(head, this.layersAcross), middle * ratio, (TOP - 9) * ratio);
        });
    }

    firstHead(key, from, count) {
        for (let number = from; number < count; ++number)
            if (this.indexAt.has(key(number)))
                return this.heads[this.indexAt.get(key(number))];
        return null;
    }

    drawMarks(ratio = devicePixelRatio) {
        const context = this.begin(this.marks, ratio);
        const {query, key} = lit(this);
        context.beginPath();
        context.rect((LEFT - 2) * ratio, (TOP - 2) * ratio, this.width * ratio, this.height * ratio);
        context.clip();
        if (query || key)
            this.eachTile(ratio, (_, x, y, width, height) =>
                markCell(context, this, {query, key}, ratio, x, y, width, height));
        const head = this.heads[this.current];
        const [left, top] = [this.xs[head[2]], this.ys[head[3]]];
        Object.assign(this.button.style, {left: `${left - 2}px`, top: `${top - 2}px`, width: `${this.unit + 4}px`,
                                          height: `${this.unit + 4}px`});
        this.button.classList.toggle('open', opened?.grid == this && opened.index == this.current);
        const label = this.describe(this.current);
        if (this.button.ariaLabel != label)
            this.button.ariaLabel = label;
    }

    stateOf(index) {
        return ['', ', ablated', ', patched from another prompt'][this.heads[index][4]];
    }

    describe(index) {
        const [strongest] = this.strongest(index, 1);
        return `${nameOf(this.heads[index])}${this.stateOf(index)}, ${this.title}: ` +
            (strongest ? `largest weight ${strongest}` : 'no weights');
    }

    // The largest cells in words.
    strongest(index, most) {
        const tile = this.tile(index);
        return [...tile.keys()].filter(cell => tile[cell]).sort((a, b) => tile[b] - tile[a]).slice(0, most)
            .map(cell => this.words(this.cellOf(index, (cell % this.side + 0.5) / this.side,
                                                (Math.floor(cell / this.side) + 0.5) / this.side)));
    }

    words({index, query, key}) {
        return `${this.weight(index, query, key).toFixed(2)} from query ${this.tokenWords(query)} ` +
            `to key ${this.tokenWords(key)}`;
    }

    tokenWords([first, last]) {
        const words = position => `${position} ${quote(this.tokens[position] ?? '')}`;
        return first == last ? words(first) : `${words(first)} to ${words(last)}`;
    }

    // Goes to the next tile in a direction; over places without one.
    step(dx, dy) {
        let [, , column, row] = this.heads[this.current];
        do {
            column += dx;
            row += dy;
            if (column < 0 || row < 0 || column >= this.columns || row >= this.rows)
                return;
        } while (!this.indexAt.has(row * this.columns + column));
        this.current = this.indexAt.get(row * this.columns + column);
        this.reveal();
        if (opened?.grid == this)
            open(this, this.current);
        say(this.describe(this.current));
        redraw();
    }

    // Moves the view if the current tile is not all in it.
    reveal() {
        this.layOut();
        const head = this.heads[this.current];
        const off = (corner, margin, size) =>
            corner < margin ? margin - corner : Math.min(0, size - corner - this.unit);
        pan(this, off(this.xs[head[2]], LEFT, this.width - 2), off(this.ys[head[3]], TOP, this.height - 2));
    }
}

function hatch(context, [ground, line], isFalling, x, y, width, height) {
    context.save();
    context.fillStyle = ground;
    context.fillRect(x, y, width, height);
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    context.strokeStyle = line;
    context.beginPath();
    const step = Math.max(4, width / 10);
    for (let sum = step; sum < 2 * width; sum += step) {
        context.moveTo(isFalling ? x + width - sum : x + sum, y);
        context.lineTo(isFalling ? x + width : x, y + sum);
    }
    context.stroke();
    context.restore();
}

// A band over the query's row and the key's column, and a frame where they meet.
function markCell(context, grid, {query, key}, ratio, x, y, width, height) {
    const ink = inks();
    const band = (span, begin, size) => {
        const [first, last] = grid.cells(span).map((cell, end) => begin + (cell + end) * size / grid.side);
        const grown = Math.max(0, 2 * ratio - (last - first));
        return [first - grown / 2, last - first + grown];
    };
    const column = key && band(key, x, width), row = query && band(query, y, height);
    context.globalAlpha = 0.25;
    context.fillStyle = ink.key;
    if (column)
        context.fillRect(column[0], y, column[1], height);
    context.fillStyle = ink.query;
    if (row)
        context.fillRect(x, row[0], width, row[1]);
    context.globalAlpha = 1;
    context.strokeStyle = ink.key;
    context.lineWidth = 1.5 * ratio;
    if (row && column)
        context.strokeRect(column[0], row[0], column[1], row[1]);
}

// What is lit in a grid: positions that cover the same characters as those hovered or pinned in another one.
function lit(grid) {
    const active = hovered ?? pinned;
    if (!active)
        return {};
    const there = span => {
        if (!span || active.grid == grid || !active.grid.matches.length)
            return span && span[1] < grid.length ? span : null;
        const [first, last] = span.map(position => active.grid.matches[position]);
        return first && last ? [first[0], last[1]] : null;
    };
    return {query: there(active.query), key: there(active.key)};
}

function redraw() {
    if (isWaiting)
        return;
    isWaiting = true;
    requestAnimationFrame(() => {
        isWaiting = false;
        for (const grid of grids)
            if (grid.canvas)
                grid.draw();
        drawMarks();
    });
}

function drawMarks() {
    for (const grid of grids)
        if (grid.canvas)
            grid.drawMarks();
    for (const chip of byId('tokens').querySelectorAll('button')) {
        const marked = lit(grids[chip.dataset.grid]), position = Number(chip.dataset.position);
        for (const role of ['query', 'key'])
            chip.classList.toggle(role, Boolean(marked[role] && marked[role][0] <= position &&
                                                position <= marked[role][1]));
    }
    drawLarge();
    byId('release').hidden = !pinned;
}

function say(sentence) {
    byId('status').textContent = sentence;
}

function hover(cell) {
    hovered = cell;
    const active = hovered ?? pinned;
    if (active?.query && active.key)
        say(`${nameOf(active.grid.heads[active.index])}: ${active.grid.words(active)}`);
    else
        say(active ? `Token ${active.grid.tokenWords(active.key)} as key and as query` : '');
    drawMarks();
}

function pin(cell) {
    pinned = cell;
    hover(hovered);
}

function zoom(factor, grid = null, x = 0, y = 0) {
    const target = grid ?? grids.find(one => one.canvas);
    if (!target)
        return;
    target.layOut();
    if (!grid)
        [x, y] = [LEFT + target.room[0] / 2, TOP + target.room[1] / 2];
    // The point under the pointer stays where it is.
    const share = [(x - target.x) / (target.breadth * target.unit), (y - target.y) / (target.length_ * target.unit)];
    view.zoom = clamp(view.zoom * factor, 1, MOST_ZOOM);
    target.layOut();
    const off = [x - LEFT - target.room[0] / 2, y - TOP - target.room[1] / 2];
    [view.x, view.y] = target.middle(share[0] - off[0] / (target.breadth * target.unit),
                                     share[1] - off[1] / (target.length_ * target.unit));
    redraw();
}

function pan(grid, dx, dy) {
    [view.x, view.y] = grid.middle(...grid.middle(view.x, view.y).map((share, axis) =>
        share - [dx / (grid.breadth * grid.unit), dy / (grid.length_ * grid.unit)][axis]));
    redraw();
}

function fit() {
    Object.assign(view, {zoom: 1, x: 0.5, y: 0.5});
    redraw();
}

const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

function listenToStage(grid) {
    const {stage, button} = grid;
    let held = null;  // where the pointer went down, and whether it has moved since
    stage.addEventListener('wheel', event => {
        event.preventDefault();
        zoom(Math.exp(-0.0016 * event.deltaY * (event.deltaMode ? 30 : 1)), grid, event.offsetX, event.offsetY);
    }, {passive: false});
    stage.addEventListener('pointerdown', event => {
        held = {x: event.offsetX, y: event.offsetY, hasMoved: false};
        stage.setPointerCapture(event.pointerId);
    });
    stage.addEventListener('pointermove', event => {
        if (!held)
            return hover(grid.hit(event.offsetX, event.offsetY));
        held.hasMoved ||= Math.hypot(event.offsetX - held.x, event.offsetY - held.y) > 4;
        if (!held.hasMoved)
            return;
        stage.classList.add('held');
        pan(grid, event.offsetX - held.x, event.offsetY - held.y);
        [held.x, held.y] = [event.offsetX, event.offsetY];
    });
    stage.addEventListener('pointerup', event => {
        const cell = held && !held.hasMoved && grid.hit(event.offsetX, event.offsetY);
        held = null;
        stage.classList.remove('held');
        if (!cell)
            return;
        grid.current = cell.index;
        button.focus({preventScroll: true});
        open(grid, cell.index);
        pin(cell);
    });
    stage.addEventListener('pointercancel', () => held = null);
    stage.addEventListener('pointerleave', () => hover(null));
    button.addEventListener('focus', () => {
        grid.reveal();
        if (!hovered)
            say(grid.describe(grid.current));
    });
    button.addEventListener('click', () => open(grid, grid.current));
    button.addEventListener('keydown', event => {
        const arrow = ARROWS[event.key];
        if (!arrow || event.ctrlKey || event.altKey || event.metaKey)
            return;
        event.preventDefault();
        if (event.shiftKey)
            pan(grid, -60 * arrow[0], -60 * arrow[1]);
        else
            grid.step(...arrow);
    });
}

function open(grid, index) {
    opened = {grid, index};
    const head = grid.heads[index];
    const section = byId('large');
    section.replaceChildren();
    section.hidden = false;
    section.parentElement.classList.add('wide');
    const bar = add(section, 'header');
    add(bar, 'h2', {textContent: nameOf(head)});
    add(bar, 'button', {type: 'button', textContent: 'Close', title: 'Close (Escape)', onclick: close});
    opened.shown = [grid, ...grids.filter(one => one != grid)].flatMap(one => {
        const same = one.heads.findIndex(other => other[0] == head[0] && other[1] == head[1]);
        return same < 0 ? [] : [{grid: one, index: one == grid ? index : same}];
    });
    for (const part of opened.shown) {
        add(section, 'p', {className: 'quiet', textContent: part.grid.title + part.grid.stateOf(part.index)});
        part.canvas = add(section, 'canvas', {role: 'img', ariaLabel: part.grid.describe(part.index)});
        const list = add(section, 'ol', {ariaLabel: 'Largest weights'});
        for (const words of part.grid.strongest(part.index, 3))
            add(list, 'li', {textContent: words});
        const cellUnder = event => {
            const {left, side} = part;
            const [x, y] = [(event.offsetX - left) / side, event.offsetY / side];
            return x >= 0 && x < 1 && y >= 0 && y < 1 ? part.grid.cellOf(part.index, x, y) : null;
        };
        part.canvas.addEventListener('pointermove', event => hover(cellUnder(event)));
        part.canvas.addEventListener('pointerleave', () => hover(null));
        part.canvas.addEventListener('click', event => pin(cellUnder(event)));
    }
    redraw();
}

function close() {
    opened = null;
    byId('large').hidden = true;
    byId('large').parentElement.classList.remove('wide');
    redraw();
}

function drawLarge() {
    for (const part of opened?.shown ?? []) {
        const {grid, index, canvas} = part, ratio = devicePixelRatio, ink = inks();
        const width = canvas.clientWidth;
        const font = '11px system-ui, sans-serif';
        const context = canvas.getContext('2d');
        context.font = font;
        const margin = Math.min(90, 8 + Math.max(0, ...grid.tokens.map(token => context.measureText(token).width)));
        const side = width - margin - 1;
        Object.assign(part, {left: margin, side});
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round((width + 1) * ratio);
        canvas.style.height = `${width + 1}px`;
        context.scale(ratio, ratio);
        context.imageSmoothingEnabled = false;
        const {canvas: picture, across, side: cells} = grid.atlas(grid.levels[0]);
        context.fillStyle = ink.frame;
        context.fillRect(margin - 1, 0, side + 2, side + 2);
        context.drawImage(picture, index % across * cells, Math.floor(index / across) * cells, cells, cells, margin, 1,
                          side, side);
        const marked = lit(grid);
        markCell(context, grid, marked, 1, margin, 1, side, side);
        context.font = font;
        context.textAlign = 'right';
        context.textBaseline = 'middle';
        const step = Math.ceil(12 * cells / side);
        for (let cell = 0; cell < cells; cell += step) {
            const token = grid.tokens[Math.ceil(cell * grid.length / cells)] ?? '';
            const isIn = span => span && grid.cells(span)[0] <= cell && cell <= grid.cells(span)[1];
            const at = (cell + 0.5) * side / cells;
            context.fillStyle = isIn(marked.query) ? ink.query : ink.ink;
            context.fillText(token, margin - 5, 1 + at, margin - 5);
            context.save();
            context.translate(margin + at, side + 6);
            context.rotate(-Math.PI / 2);
            context.fillStyle = isIn(marked.key) ? ink.key : ink.ink;
            context.fillText(token, 0, 0, margin - 5);
            context.restore();
        }
    }
}

// Chips of the prompt's tokens: one strip if all grids read the same ones. One is a tab stop at a time.
function composeTokens() {
    const isSame = grids.every(grid => !grid.matches.length);
    grids.filter((grid, number) => grid.tokens.length && (!isSame || number == 0)).forEach(grid => {
        const strip = add(byId('tokens'), 'div', {className: 'strip', role: 'toolbar'});
        strip.ariaLabel = isSame ? 'Tokens' : `Tokens of ${grid.title}`;
        const cellOf = chip => {
            const position = Number(chip.dataset.position);
            return {grid, query: [position, position], key: [position, position]};
        };
        const show = chip => {
            const {query, key} = cellOf(chip);
            hovered = {grid, query, key, index: grid.current};
            drawMarks();
            say(`Token ${grid.tokenWords(key)} as key and as query`);
        };
        grid.tokens.forEach((token, position) => {
            const chip = add(strip, 'button', {type: 'button', textContent: token, tabIndex: position ? -1 : 0});
            chip.dataset.grid = grids.indexOf(grid);
            chip.dataset.position = position;
            add(chip, 'sub', {textContent: position});
            chip.addEventListener('pointerenter', () => show(chip));
            chip.addEventListener('pointerleave', () => hover(null));
            chip.addEventListener('focus', () => show(chip));
            chip.addEventListener('blur', () => hover(null));
            chip.addEventListener('click', () => pin({...cellOf(chip), index: grid.current}));
        });
        strip.addEventListener('keydown', event => {
            const to = event.target.closest('button')?.[{ArrowLeft: 'previousSibling', ArrowRight: 'nextSibling'}[event.key]];
            if (!to)
                return;
            event.preventDefault();
            event.target.tabIndex = -1;
            to.tabIndex = 0;
            to.focus();
        });
    });
}

function composeNext() {
    const first = grids.find(grid => grid.next.length);
    if (!first)
        return;
    const table = add(byId('next'), 'table');
    add(table, 'caption', {textContent: `Next token after ${quote(first.tokens[first.position] ?? '')}`});
    const isAblated = grid => grid.heads.some(head => head[4]) || grid.next.some(([, before, after]) => before != after);
    const heads = add(add(table, 'thead'), 'tr');
    add(heads, 'th', {textContent: ''});
    for (const grid of grids)
        add(heads, 'th', {scope: 'col', textContent: grid.title + (isAblated(grid) ? ', before → after ablation' : '')});
    const number = share => share < 0 ? `<${Math.max(0.1, Math.ceil(-1000 * share) / 10).toFixed(1)}`
        : share < 0.0005 ? '<0.1' : (100 * share).toFixed(1);
    const body = add(table, 'tbody');
    first.next.forEach(([label], row) => {
        const line = add(body, 'tr');
        add(line, 'td', {textContent: label});
        for (const grid of grids) {
            const [, before, after] = grid.next[row];
            const cell = add(line, 'td', {
                textContent: isAblated(grid) ? `${number(before)} → ${number(after)} %` : `${number(after)} %`});
            if (isAblated(grid))
                add(cell, 'i', {className: 'before'}).style.width = `${100 * Math.max(before, 0)}%`;
            add(cell, 'i').style.width = `${100 * Math.max(after, 0)}%`;
        }
    });
}

function composeScale() {
    const canvas = add(byId('scale'), 'canvas', {width: 256, height: 1, ariaHidden: 'true'});
    const draw = () => {
        const picture = new ImageData(256, 1);
        new Uint32Array(picture.data.buffer).set(colourMaps[isDark() ? 1 : 0]);
        canvas.getContext('2d').putImageData(picture, 0, 0);
    };
    draw();
    for (const [place, number] of page.ticks)
        add(byId('scale'), 'span', {textContent: number}).style.left = `${160 * place}px`;
    add(byId('scale'), 'em', {textContent: page.scale});
    return draw;
}

function composeProvenance() {
    const list = byId('provenance');
    const line = (name, value) => {
        add(list, 'dt', {textContent: name});
        add(list, 'dd', {textContent: value});
    };
    const recipe = JSON.parse(document.querySelector('recipe').textContent || '{}');
    const made = recipe.made ?? {};
    if (made.program)
        line('Program', made.program);
    for (const part of Object.values(made).filter(value => value?.title)) {
        line('Model', part.title);
        line('Fingerprint', part.fingerprint);
        if (part.gateBias != null)
            line('Score gate', `bias ${part.gateBias}`);
        line('Token ids', part.tokens.join(' '));
    }
}

function listenToKeys() {
    document.addEventListener('keydown', event => {
        if (event.ctrlKey || event.altKey || event.metaKey)
            return;
        const act = {'+': () => zoom(1.25), '=': () => zoom(1.25), '-': () => zoom(0.8), '0': fit,
                     'Escape': () => pinned || !opened ? release() : close()}[event.key];
        if (!act)
            return;
        event.preventDefault();
        act();
    });
    byId('in').onclick = () => zoom(1.25);
    byId('out').onclick = () => zoom(0.8);
    byId('fit').onclick = fit;
    byId('release').onclick = release;
}

function release() {
    pin(null);
    hover(null);
}

// On paper both grids are whole, in the colours of paper, with four dots to a pixel.
function listenToPrinter(drawScale) {
    let kept = null;
    addEventListener('beforeprint', () => {
        kept = {view: {...view}, isOpen: byId('made').open};
        isPrinting = true;
        byId('made').open = true;
        Object.assign(view, {zoom: 1, x: 0.5, y: 0.5});
        for (const grid of grids.filter(one => one.canvas)) {
            grid.width = document.body.classList.contains('stacked') || grids.length == 1 ? 680 : 335;
            grid.height = TOP + 2 + (grid.width - LEFT - 2) / grid.breadth * grid.length_;
            grid.draw(4);
        }
        drawScale();
    });
    addEventListener('afterprint', () => {
        isPrinting = false;
        Object.assign(view, kept.view);
        byId('made').open = kept.isOpen;
        for (const grid of grids.filter(one => one.canvas))
            grid.resize();
        drawScale();
        redraw();
    });
}

async function start() {
    const blocks = [...document.querySelectorAll('script[type="application/octet-stream"]')];
    const tiles = await Promise.all(blocks.map(block => unpacked(block.textContent)));
    page.grids.forEach((data, number) => grids.push(new Grid(data, tiles[number])));
    composeTokens();
    composeNext();
    const drawScale = composeScale();
    composeProvenance();
    listenToKeys();
    listenToPrinter(drawScale);
    darkness.addEventListener('change', () => {
        drawScale();
        redraw();
    });
    const marked = grids.find(grid => grid.mark);
    if (marked)
        pin({grid: marked, index: 0, query: [marked.mark[0], marked.mark[0]], key: [marked.mark[1], marked.mark[1]]});
    redraw();
    document.documentElement.dataset.ready = 'yes';
}

start().catch(error => {
    byId('problem').hidden = false;
    byId('problem').textContent = 'The tiles could not be unpacked; open the page in a browser from 2023 or later ' +
        `(Firefox 113, Chromium 80, Safari 16.4), or make it again with headscope figure. (${error.message})`;
});

})();
