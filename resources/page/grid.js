// One grid: where its tiles are, what lies under a point, and how it is drawn. Lengths are CSS pixels of its stage.
// Axis 0 is across, a tile's columns and keys; axis 1 down, its rows and queries.

const GAP = 0.09, BLOCK_GAP = [1.1, 0.8];  // between tiles and blocks of tiles, in sides of a tile
const MLP = 0.2;                    // width of the slim tile of an MLP, likewise
const MARGIN = [42, 17];            // room for headings, at the left and at the top
const namesFrom = () => isPrinting ? 28 : 40;  // the least side of a tile that has room for its name

const STATES = ['', ', ablated', ', patched from another prompt'];
const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
const nameOf = head => `L${head[0]}H${head[1]}`;

class Grid {
    // The elements come later: stage, canvas, marks and button.
    constructor(data, cells) {
        Object.assign(this, data);
        this.hasOwnKeys = this.keyTokens.length > 0;
        this.tokens = [this.hasOwnKeys ? this.keyTokens : this.tokens, this.tokens];  // [axis]
        this.tiles = new Tiles(this.sides, cells);
        this.current = 0;  // the tile that has the focus
        if (this.isMatrix && this.block[0] == this.columns && this.block[1] == this.rows)
            this.whole = {heads: this.heads, mlps: this.mlps, counts: [this.columns, this.rows]};
        this.arrange(this.block, [this.columns, this.rows], this.heads, this.mlps);
    }

    arrange(block, counts, heads, mlps) {
        Object.assign(this, {block, heads, mlps, sheet: null, columns: counts[0], rows: counts[1]});
        this.indexAt = new Map(heads.map((head, index) => [`${head[2]},${head[3]}`, index]));
        this.extent = this.extentOf(block, counts);
    }

    extentOf(block, counts) {
        return counts.map((count, axis) => this.place(count - 1, axis, block) + 1 + (this.toMlp[axis] ? GAP + MLP : 0));
    }

    place(number, axis, block = this.block) {
        const mlps = this.toMlp[axis] ? Math.floor(number / this.toMlp[axis]) : 0;
        return number * (1 + GAP) + Math.floor(number / block[axis]) * BLOCK_GAP[axis] + mlps * (GAP + MLP);
    }

    resize() {
        this.size = [this.stage.clientWidth, this.stage.clientHeight];
        if (this.whole)
            this.split();
    }

    // Layers in as many blocks as give the largest tiles.
    split() {
        const axis = this.layersAcross ? 0 : 1, {heads, mlps, counts} = this.whole;
        let best = null;
        for (let length = counts[axis]; length > 0; --length) {
            const across = Math.ceil(counts[axis] / length) * counts[1 - axis];
            const [block, all] = [counts[1 - axis], across].map(other => axis ? [other, length] : [length, other]);
            const unit = Math.min(...this.extentOf(block, all).map((extent, one) => (this.size[one] - MARGIN[one]) / extent));
            if (!best || unit > 1.02 * best.unit)
                best = {unit, block, all, length};
        }
        const moved = part => {
            const place = part.slice(2, 4);
            place[1 - axis] += Math.floor(place[axis] / best.length) * counts[1 - axis];
            place[axis] %= best.length;
            return [...part.slice(0, 2), ...place, ...part.slice(4)];
        };
        this.arrange(best.block, best.all, heads.map(moved), mlps.map(moved));
    }

    // A tile's side is `unit`, its corner (corners[0][column], corners[1][row]).
    layOut() {
        this.room = this.size.map((size, axis) => Math.max(1, size - MARGIN[axis] - 2));
        this.unit = view.zoom * Math.min(...this.room.map((room, axis) => room / this.extent[axis]));
        this.total = this.extent.map(extent => extent * this.unit);
        this.start = this.total.map((total, axis) =>
            MARGIN[axis] + (total <= this.room[axis] ? 0 : this.room[axis] / 2 - this.within(view.middle)[axis] * total));
        this.corners = [this.columns, this.rows].map((count, axis) => Array.from({length: count}, (_, number) =>
            this.start[axis] + this.place(number, axis) * this.unit));
    }

    // The nearest shares of the grid that can be in the middle of the view.
    within(middle) {
        return middle.map((share, axis) => {
            const half = this.room[axis] / 2 / this.total[axis];
            return half >= 0.5 ? 0.5 : clamp(share, half, 1 - half);
        });
    }

    // The tile under a point and the cell in it, as positions of tokens.
    hit(point) {
        const place = point.map((at, axis) => at < MARGIN[axis] ? -1 :
            this.corners[axis].findIndex(corner => corner <= at && at < corner + this.unit));
        const index = this.indexAt.get(place.join());
        return index === undefined ? null
            : this.cellAt(index, ...point.map((at, axis) => (at - this.corners[axis][place[axis]]) / this.unit));
    }

    // Left, top, width and height of a slim tile, in sides of a tile from the grid's corner.
    mlpPlace([, , column, row]) {
        const [x, y] = [this.place(column, 0), this.place(row, 1)];
        return this.toMlp[0] ? [x + 1 + GAP, y, MLP, 1] : [x, y + 1 + GAP, 1, MLP];
    }

    mlpAt(point) {
        const at = point.map((length, axis) => length < MARGIN[axis] ? NaN : (length - this.start[axis]) / this.unit);
        return this.mlps.find(mlp => {
            const [x, y, width, height] = this.mlpPlace(mlp);
            return x <= at[0] && at[0] < x + width && y <= at[1] && at[1] < y + height;
        });
    }

    // "L3MLP, ablated: −0.25 of the logit"
    mlpWords([layer, , , , state, logit]) {
        return `L${layer}MLP${STATES[state]}${state ? '' : `: ${logit < 0 ? '−' : '+'}${Math.abs(logit)} of the logit`}`;
    }

    cellAt(index, x, y) {
        const span = (share, axis) => {
            const side = this.sides[axis], cell = clamp(Math.floor(share * side), 0, side - 1);
            const begin = number => Math.ceil(number * this.lengths[axis] / side);
            return [begin(cell), begin(cell + 1) - 1];
        };
        return {grid: this, index, query: span(y, 1), key: span(x, 0)};
    }

    // First and last cell of a span of positions.
    cellsOf(span, axis) {
        return span.map(position => Math.floor(position * this.sides[axis] / this.lengths[axis]));
    }

    begin(canvas, ratio) {
        const [width, height] = this.size.map(size => Math.round(size * ratio));
        if (canvas.width != width || canvas.height != height)
            Object.assign(canvas, {width, height});
        const context = canvas.getContext('2d');
        context.clearRect(0, 0, width, height);
        context.save();
        context.beginPath();
        context.rect((MARGIN[0] - 2) * ratio, (MARGIN[1] - 2) * ratio, width, height);
        context.clip();
        return context;
    }

    // Calls draw(index, x, y, width, height), in whole pixels, for each tile that is at least partly in a picture of
    // that size, whose first pixel is `from` pixels from the grid's corner.
    eachTile(ratio, from, size, draw) {
        const [xs, ys] = [this.columns, this.rows].map((count, axis) => Array.from({length: count}, (_, number) => {
            const edges = [0, 1].map(end => Math.round((this.place(number, axis) + end) * this.unit * ratio) - from[axis]);
            return edges[1] < 0 || edges[0] > size[axis] ? null : edges;
        }));
        this.heads.forEach(([, , column, row], index) => {
            const x = xs[column], y = ys[row];
            if (x && y)
                draw(index, x[0], y[0], x[1] - x[0], y[1] - y[0]);
        });
    }

    // The same for slim tiles: draw(mlp, x, y, width, height).
    eachMlp(ratio, from, draw) {
        for (const mlp of this.mlps) {
            const [x, y, width, height] = this.mlpPlace(mlp);
            const pixel = (length, axis) => Math.round(length * this.unit * ratio) - from[axis];
            const [left, top] = [pixel(x, 0), pixel(y, 1)];
            draw(mlp, left, top, Math.max(1, pixel(x + width, 0) - left), Math.max(1, pixel(y + height, 1) - top));
        }
    }

    // The first pixel in view, from the grid's corner.
    seenFrom(ratio) {
        return this.start.map((start, axis) => -Math.round((start - MARGIN[axis]) * ratio));
    }

    draw(ratio) {
        this.layOut();
        const context = this.begin(this.canvas, ratio);
        const {picture, from} = this.sheetAt(ratio), seen = this.seenFrom(ratio);
        context.drawImage(picture, ...from.map((at, axis) => at - seen[axis] + Math.round(MARGIN[axis] * ratio)));
        context.restore();
        this.drawHeadings(context, ratio, inks());
    }

    // The tiles in view; once the view moves, those around it as well, so that most frames are one copy.
    sheetAt(ratio) {
        const seen = this.seenFrom(ratio), room = this.room.map(room => Math.ceil(room * ratio) + 4);
        const look = [this.unit, ratio, scheme(), room].join();
        const isSame = this.sheet?.look == look;
        if (isSame && seen.every((at, axis) => this.sheet.from[axis] <= at - 2 &&
                                 at - 2 + room[axis] <= this.sheet.from[axis] + this.sheet.size[axis]))
            return this.sheet;
        const from = seen.map((at, axis) => at - 2 - (isSame ? Math.ceil(room[axis] / 2) : 0));
        const size = room.map(length => isSame ? 2 * length : length);
        const picture = this.sheet?.picture ?? document.createElement('canvas');
        Object.assign(picture, {width: size[0], height: size[1]});
        this.sheet = {look, from, size, picture};
        this.drawTiles(picture.getContext('2d'), ratio, from, size);
        return this.sheet;
    }

    drawTiles(context, ratio, from, size) {
        const paint = this.tiles.painter(context, this.unit * ratio);
        const ink = inks(), frame = Math.max(1, Math.round(ratio));
        context.fillStyle = ink.frame;
        this.eachTile(ratio, from, size, (index, x, y, width, height) => {
            context.fillRect(x - frame, y - frame, width + 2 * frame, height + 2 * frame);
            paint(index, x, y, width, height);
        });
        this.eachTile(ratio, from, size, (index, ...place) => {
            if (this.heads[index][4])
                hatch(context, this.heads[index][4], ...place);
        });
        this.eachMlp(ratio, from, ([, share, , , state], x, y, width, height) => {
            context.fillStyle = ink.frame;
            context.fillRect(x - frame, y - frame, width + 2 * frame, height + 2 * frame);
            context.fillStyle = ink.hatchings[0][0];
            context.fillRect(x, y, width, height);
            if (state)
                return hatch(context, state, x, y, width, height);
            const isUpright = height >= width, length = Math.round(Math.abs(share) * (isUpright ? height : width));
            context.fillStyle = share < 0 ? ink.key : ink.query;
            context.fillRect(x, isUpright ? y + height - length : y, isUpright ? width : length, isUpright ? length : height);
        });
        if (this.unit >= namesFrom())
            this.drawNames(context, ratio, from, size);
    }

    drawNames(context, ratio, from, size) {
        const ink = inks();
        context.font = `600 ${clamp(0.17 * this.unit, isPrinting ? 5 : 9, 13) * ratio}px system-ui, sans-serif`;
        Object.assign(context, {textAlign: 'right', textBaseline: 'top', lineWidth: 3 * ratio, lineJoin: 'round',
                                strokeStyle: ink.halo, fillStyle: ink.ink});
        this.eachTile(ratio, from, size, (index, x, y, width) => {
            const words = [nameOf(this.heads[index]), x + width - 3 * ratio, y + 3 * ratio];
            context.strokeText(...words);
            context.fillText(...words);
        });
    }

    // Headings of each block stay at the edges wherever the view is, with gaps where they would touch. A list has the
    // name of each row's first head, unless every tile has its own.
    drawHeadings(context, ratio, ink) {
        context.font = `${11 * ratio}px system-ui, sans-serif`;
        Object.assign(context, {textBaseline: 'middle', fillStyle: ink.quiet});
        for (const axis of this.isMatrix ? [0, 1] : this.unit < namesFrom() ? [1] : []) {
            const step = Math.ceil([26, 12][axis] / (this.unit * (1 + GAP))), other = 1 - axis;
            context.textAlign = axis ? 'right' : 'center';
            for (const head of this.firstHeads(axis)) {
                const number = head[2 + axis], middle = this.corners[axis][number] + this.unit / 2;
                const first = Math.floor(head[2 + other] / this.block[other]) * this.block[other];
                const last = Math.min(first + this.block[other], this.corners[other].length) - 1;
                const edge = Math.max(this.corners[other][first], MARGIN[other]);
                if (number % this.block[axis] % step || middle < MARGIN[axis] || middle > this.size[axis] ||
                    edge > this.size[other] || this.corners[other][last] + this.unit < MARGIN[other] + 8)
                    continue;
                const isLayer = axis == (this.layersAcross ? 0 : 1);
                const text = !this.isMatrix ? nameOf(head) : isLayer ? `L${head[0]}` : `H${head[1]}`;
                context.fillText(text, ...(axis ? [edge - 5, middle] : [middle, edge - 9]).map(at => at * ratio));
            }
        }
    }

    // A head of each row (axis 1) or column (axis 0) of each block.
    firstHeads(axis) {
        const found = new Map();
        for (const head of this.heads) {
            const key = `${head[2 + axis]},${Math.floor(head[3 - axis] / this.block[1 - axis])}`;
            if (!found.has(key))
                found.set(key, head);
        }
        return found.values();
    }

    drawMarks(lit, ratio) {
        const isLit = Boolean(lit.query || lit.key);
        if (isLit || this.wasLit) {
            const context = this.begin(this.marks, ratio);
            const from = this.seenFrom(ratio).map((at, axis) => at - Math.round(MARGIN[axis] * ratio));
            if (isLit)
                this.eachTile(ratio, from, this.size.map(size => size * ratio), (_, ...place) =>
                    markCell(context, this, lit, ratio, ...place));
            context.restore();
        }
        this.wasLit = isLit;
        const [, , column, row] = this.heads[this.current];
        Object.assign(this.button.style, {
            left: `${this.corners[0][column] - 2}px`, top: `${this.corners[1][row] - 2}px`,
            width: `${this.unit + 4}px`, height: `${this.unit + 4}px`});
    }

    // "0.96 from query 14 “to” to key 2 “Mary”"
    words({index, query, key}) {
        const cell = this.cellsOf(query, 1)[0] * this.sides[0] + this.cellsOf(key, 0)[0];
        const weight = this.tiles.cells(index)[cell] / 255;
        return `${weight.toFixed(2)} from query ${this.tokenWords(query, 1)} to key ${this.tokenWords(key, 0)}`;
    }

    tokenWords([first, last], axis) {
        const words = position => `${position} “${this.tokens[axis][position] ?? ''}”`;
        return first == last ? words(first) : `${words(first)} to ${words(last)}`;
    }

    strongest(index, most) {
        const cells = this.tiles.cells(index), [columns, rows] = this.sides;
        return [...cells.keys()].filter(cell => cells[cell]).sort((a, b) => cells[b] - cells[a]).slice(0, most).map(cell =>
            this.words(this.cellAt(index, (cell % columns + 0.5) / columns, (Math.floor(cell / columns) + 0.5) / rows)));
    }

    // "L3H7, ablated, of Demo, dense"
    nameInFull(index) {
        return `${nameOf(this.heads[index])}${STATES[this.heads[index][4]]}, of ${this.title}`;
    }

    describe(index) {
        return `${this.nameInFull(index)}: ${this.strongest(index, 1).map(words => `largest weight ${words}`)[0] ?? 'empty'}`;
    }

    // Goes to the next tile in a direction, over places that have none; whether there is one.
    step(dx, dy) {
        let [, , column, row] = this.heads[this.current], index;
        do {
            column += dx;
            row += dy;
            index = this.indexAt.get(`${column},${row}`);
        } while (index === undefined && column >= 0 && row >= 0 && column < this.columns && row < this.rows);
        this.current = index ?? this.current;
        return index !== undefined;
    }
}

function hatch(context, state, x, y, width, height) {
    const [ground, line] = inks().hatchings[state - 1];
    context.save();
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    Object.assign(context, {fillStyle: ground, strokeStyle: line});
    context.fillRect(x, y, width, height);
    context.beginPath();
    const side = Math.max(width, height), step = Math.max(4, side / 10);
    for (let sum = step; sum < 2 * side; sum += step) {  // falling lines are the rising ones' mirror image
        context.moveTo(state == 2 ? x + width - sum : x + sum, y);
        context.lineTo(state == 2 ? x + width : x, y + sum);
    }
    context.stroke();
    context.restore();
}

// A band over the query's row and the key's column, and a frame where they meet.
function markCell(context, grid, {query, key}, ratio, x, y, width, height) {
    const band = (span, axis, start, size) => {
        const [first, last] = grid.cellsOf(span, axis).map((cell, end) => start + (cell + end) * size / grid.sides[axis]);
        const more = Math.max(0, 2 * ratio - (last - first));
        return [first - more / 2, last - first + more];
    };
    const column = key && band(key, 0, x, width), row = query && band(query, 1, y, height);
    Object.assign(context, {globalAlpha: 0.25, fillStyle: inks().key});
    if (column)
        context.fillRect(column[0], y, column[1], height);
    context.fillStyle = inks().query;
    if (row)
        context.fillRect(x, row[0], width, row[1]);
    Object.assign(context, {globalAlpha: 1, strokeStyle: inks().key, lineWidth: 1.5 * ratio});
    if (row && column)
        context.strokeRect(column[0], row[0], column[1], row[1]);
}
