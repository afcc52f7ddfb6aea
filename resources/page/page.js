// What is shown, and what pointer and keys do to it.

const grids = [];
const view = {zoom: 1, middle: [0.5, 0.5]};  // of all grids; the shares of a grid that are in the middle
const MOST_ZOOM = 60;
const HINT = 'Point at a cell to see it in all heads, click to open a head, turn the wheel to zoom.';
const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
let pinned = null;   // {grid, index, query: [first, last], key: [first, last]} in positions; no index: a token
let hovered = null;  // the same
let opened = [];     // {grid, index, canvas}: the head that is shown large, in each grid that has it
let isWaiting = false;

const byId = id => document.getElementById(id);
const say = sentence => byId('status').textContent = sentence;
const drawn = () => grids.filter(grid => grid.canvas);
const add = (parent, name, properties = {}) =>
    Object.assign(parent.appendChild(document.createElement(name)), properties);

function redraw() {
    if (!isWaiting)
        requestAnimationFrame(() => {
            isWaiting = false;
            drawn().forEach(grid => grid.draw(devicePixelRatio));
            drawMarks();
        });
    isWaiting = true;
}

function drawMarks() {
    for (const grid of drawn()) {
        grid.drawMarks(lit(grid), devicePixelRatio);
        if (grid.labelled != grid.current)
            grid.button.ariaLabel = grid.describe(grid.labelled = grid.current);
        grid.button.classList.toggle('open', opened[0]?.grid == grid && opened[0].index == grid.current);
    }
    for (const chip of byId('tokens').querySelectorAll('button')) {
        const marked = lit(grids[chip.dataset.grid]), position = Number(chip.dataset.position);
        for (const role of ['query', 'key'])
            chip.classList.toggle(role, chip.dataset.roles.includes(role) &&
                Boolean(marked[role]?.[0] <= position && position <= marked[role][1]));
    }
    opened.forEach(drawLarge);
    byId('release').hidden = !pinned;
}

// The positions of a grid that cover the same characters as those hovered or pinned, wherever that is.
function lit(grid) {
    const active = hovered ?? pinned;
    const there = (span, axis) => {
        if (!span || active.grid == grid || !active.grid.matches.length)
            return span && span[1] < grid.lengths[axis] ? span : null;
        const [first, last] = span.map(position => active.grid.matches[position]);
        return first && last ? [first[0], last[1]] : null;
    };
    return {query: there(active?.query, 1), key: there(active?.key, 0)};
}

function describeToken({grid, query, key}) {
    const role = !query ? 'key' : !key ? 'query' : 'key and as query';
    return `Token ${key ? grid.tokenWords(key, 0) : grid.tokenWords(query, 1)} as ${role}`;
}

function hover(cell) {
    hovered = cell;
    const active = hovered ?? pinned;
    say(!active ? HINT : active.index === undefined ? describeToken(active)
        : `${nameOf(active.grid.heads[active.index])}: ${active.grid.words(active)}`);
    drawMarks();
}

function pin(cell) {
    pinned = cell;
    hover(cell && hovered);
}

// The point stays where it is; without one, the middle.
function zoom(factor, grid = drawn()[0], point = null) {
    if (!grid)
        return;
    grid.layOut();
    const middle = grid.room.map((room, axis) => MARGIN[axis] + room / 2);
    const at = point ?? middle;
    const shares = at.map((value, axis) => (value - grid.start[axis]) / grid.total[axis]);
    view.zoom = clamp(view.zoom * factor, 1, MOST_ZOOM);
    grid.layOut();
    view.middle = grid.within(shares.map((share, axis) => share - (at[axis] - middle[axis]) / grid.total[axis]));
    redraw();
}

function pan(grid, by) {
    view.middle = grid.within(grid.within(view.middle).map((share, axis) => share - by[axis] / grid.total[axis]));
    redraw();
}

function fit() {
    Object.assign(view, {zoom: 1, middle: [0.5, 0.5]});
    redraw();
}

// Shows the current tile: moves the view if it is not all in it, and says what it is.
function reveal(grid) {
    grid.layOut();
    pan(grid, grid.corners.map((corners, axis) => {
        const corner = corners[grid.heads[grid.current][2 + axis]];
        return corner < MARGIN[axis] ? MARGIN[axis] - corner : Math.min(0, grid.size[axis] - 2 - corner - grid.unit);
    }));
    say(grid.describe(grid.current));
}

function composeGrid(grid) {
    const figure = add(byId('grids'), 'figure');
    const caption = add(figure, 'figcaption');
    add(caption, 'b', {textContent: grid.title});
    add(caption, 'span', {textContent: grid.caption});
    grid.stage = add(figure, 'div', {className: 'stage'});
    if (!grid.heads.length)
        return void add(grid.stage, 'p', {className: 'quiet', textContent: 'No head of this model was chosen.'});
    grid.canvas = add(grid.stage, 'canvas', {ariaHidden: 'true'});
    grid.marks = add(grid.stage, 'canvas', {ariaHidden: 'true'});
    grid.button = add(grid.stage, 'button', {type: 'button', ariaRoleDescription: 'head'});
    grid.resize();
    new ResizeObserver(() => (grid.resize(), redraw())).observe(grid.stage);
    listenToPointer(grid, grid.stage);
    listenToArrows(grid);
}

function listenToPointer(grid, stage) {
    const pointOf = event => [event.offsetX, event.offsetY];
    let held = null;  // where the pointer was last, and whether it has moved since it went down
    stage.addEventListener('wheel', event => {
        event.preventDefault();
        zoom(Math.exp(-0.0016 * event.deltaY * (event.deltaMode ? 30 : 1)), grid, pointOf(event));
    }, {passive: false});
    stage.addEventListener('pointerdown', event => {
        held = {point: pointOf(event), hasMoved: false};
        stage.setPointerCapture(event.pointerId);
    });
    stage.addEventListener('pointermove', event => {
        if (!held) {
            const mlp = grid.mlpAt(pointOf(event));
            hover(grid.hit(pointOf(event)));
            return void (mlp && say(grid.mlpWords(mlp)));
        }
        const by = pointOf(event).map((at, axis) => at - held.point[axis]);
        if (!held.hasMoved && Math.hypot(...by) <= 4)
            return;
        held = {point: pointOf(event), hasMoved: true};
        stage.classList.add('held');
        pan(grid, by);
    });
    stage.addEventListener('pointerup', event => {
        const cell = held && !held.hasMoved && grid.hit(pointOf(event));
        held = null;
        stage.classList.remove('held');
        if (!cell)
            return;
        grid.current = cell.index;
        grid.button.focus({preventScroll: true});
        openHead(grid);
        pin(cell);
    });
    stage.addEventListener('pointercancel', () => held = null);
    stage.addEventListener('pointerleave', () => hover(null));
}

function listenToArrows(grid) {
    grid.button.addEventListener('focus', () => reveal(grid));
    grid.button.addEventListener('click', () => openHead(grid));
    grid.button.addEventListener('keydown', event => {
        const arrow = ARROWS[event.key];
        if (!arrow || event.ctrlKey || event.altKey || event.metaKey)
            return;
        event.preventDefault();
        if (event.shiftKey)
            return pan(grid, arrow.map(by => -60 * by));
        if (grid.step(...arrow) && opened[0]?.grid == grid)
            openHead(grid);
        reveal(grid);
    });
}

// Shows the grid's current head large, and below it the same head of the other grid.
function openHead(grid) {
    const name = nameOf(grid.heads[grid.current]);
    const section = byId('large');
    section.replaceChildren();
    section.hidden = false;
    section.parentElement.classList.add('wide');
    const bar = add(section, 'header');
    add(bar, 'h2', {textContent: name});
    add(bar, 'button', {type: 'button', textContent: 'Close', title: 'Close (Escape)', onclick: closeHead});
    opened = [grid, ...grids.filter(one => one != grid)].map(one => (
        {grid: one, index: one == grid ? grid.current : one.heads.findIndex(head => nameOf(head) == name)}));
    opened = opened.filter(part => part.index >= 0);
    for (const part of opened) {
        add(section, 'p', {className: 'quiet', textContent: part.grid.nameInFull(part.index)});
        part.canvas = add(section, 'canvas', {role: 'img', ariaLabel: part.grid.describe(part.index)});
        const list = add(section, 'ol', {ariaLabel: 'Largest weights'});
        part.grid.strongest(part.index, 3).forEach(words => add(list, 'li', {textContent: words}));
        const cellUnder = event => {
            const [x, y] = [(event.offsetX - part.left) / part.size, (event.offsetY - 1) / part.size];
            return x >= 0 && x < 1 && y >= 0 && y < 1 ? part.grid.cellAt(part.index, x, y) : null;
        };
        part.canvas.addEventListener('pointermove', event => hover(cellUnder(event)));
        part.canvas.addEventListener('pointerleave', () => hover(null));
        part.canvas.addEventListener('click', event => pin(cellUnder(event)));
    }
    redraw();
}

function closeHead() {
    opened = [];
    byId('large').hidden = true;
    byId('large').parentElement.classList.remove('wide');
    redraw();
}

function drawLarge(part) {
    const {grid, canvas} = part, ratio = devicePixelRatio, width = canvas.clientWidth;
    const context = canvas.getContext('2d'), ink = inks(), font = '11px system-ui, sans-serif';
    const labels = grid.tokens.map(tokens =>
        tokens.map(token => token.length > 12 ? `${[...token].slice(0, 11).join('')}…` : token));
    context.font = font;
    part.left = Math.min(110, 9 + Math.max(0, ...labels.flat().map(label => context.measureText(label).width)));
    part.size = width - part.left - 1;
    Object.assign(canvas, {width: Math.round(width * ratio), height: Math.round(width * ratio)});
    context.scale(ratio, ratio);
    context.fillStyle = ink.frame;
    context.fillRect(part.left - 1, 0, part.size + 2, part.size + 2);
    grid.tiles.painter(context, Infinity)(part.index, part.left, 1, part.size, part.size);
    const marked = lit(grid);
    markCell(context, grid, marked, 1, part.left, 1, part.size, part.size);
    Object.assign(context, {font, textAlign: 'right', textBaseline: 'middle'});
    const eachLabel = (axis, span, colour, write) => {
        const side = grid.sides[axis], cells = span && grid.cellsOf(span, axis);
        for (let cell = 0; cell < side; cell += Math.ceil(12 * side / part.size)) {
            context.fillStyle = cells && cells[0] <= cell && cell <= cells[1] ? colour : ink.ink;
            write(labels[axis][Math.ceil(cell * grid.lengths[axis] / side)] ?? '', (cell + 0.5) * part.size / side);
        }
    };
    eachLabel(1, marked.query, ink.query, (label, at) => context.fillText(label, part.left - 5, 1 + at, part.left - 5));
    eachLabel(0, marked.key, ink.key, (label, at) => {
        context.save();
        context.translate(part.left + at, part.size + 6);
        context.rotate(-Math.PI / 2);
        context.fillText(label, 0, 0, part.left - 5);
        context.restore();
    });
}

// Chips of the tokens that are queries and keys: one strip if all grids read the same ones. One chip is a tab stop at
// a time.
function composeTokens(grid, label, roles = ['query', 'key']) {
    const strip = add(byId('tokens'), 'div', {className: 'strip', role: 'toolbar', ariaLabel: label});
    grid.tokens[roles.includes('query') ? 1 : 0].forEach((token, position) => {
        const chip = add(strip, 'button', {type: 'button', textContent: token, tabIndex: position ? -1 : 0});
        Object.assign(chip.dataset, {grid: grids.indexOf(grid), position, roles});
        add(chip, 'sub', {textContent: position});
        const cell = {grid, ...Object.fromEntries(roles.map(role => [role, [position, position]]))};
        for (const begin of ['pointerenter', 'focus'])
            chip.addEventListener(begin, () => hover(cell));
        for (const end of ['pointerleave', 'blur'])
            chip.addEventListener(end, () => hover(null));
        chip.addEventListener('click', () => pin(cell));
        chip.addEventListener('keydown', event => {
            const to = chip[{ArrowLeft: 'previousSibling', ArrowRight: 'nextSibling'}[event.key]];
            if (!to)
                return;
            event.preventDefault();
            [chip.tabIndex, to.tabIndex] = [-1, 0];
            to.focus();
        });
    });
}

function composeNext() {
    const speaking = grids.filter(grid => grid.next.length), first = speaking[0];
    if (!first)
        return;
    const table = add(byId('next'), 'table');
    add(table, 'caption', {textContent: `Next token after “${first.tokens[1][first.position] ?? ''}”, %`});
    const isAblated = grid => grid.heads.some(head => head[4]) || grid.next.some(token => token[1] != token[2]);
    const titles = add(add(table, 'thead'), 'tr');
    add(titles, 'td');
    for (const grid of speaking)
        add(titles, 'th', {scope: 'col', textContent: grid.title + (isAblated(grid) ? ': before → after ablation' : '')});
    const number = share => share < 0.0005 ? `<${Math.max(0.1, -100 * share).toFixed(1)}` : (100 * share).toFixed(1);
    const body = add(table, 'tbody');
    first.next.forEach(([label], row) => {
        const line = add(body, 'tr');
        add(line, 'th', {scope: 'row', textContent: label, title: label});
        for (const grid of speaking) {
            const shares = grid.next[row].slice(isAblated(grid) ? 1 : 2);
            const cell = add(line, 'td', {textContent: shares.map(number).join(' → ')});
            for (const share of shares)
                add(cell, 'i').style.width = `${100 * Math.max(share, 0)}%`;
        }
    });
}

function composeScale() {
    const canvas = add(byId('scale'), 'canvas', {width: 256, height: 1, ariaHidden: 'true'});
    for (const [place, number] of page.ticks)
        add(byId('scale'), 'span', {textContent: number}).style.left = `${160 * place}px`;
    add(byId('scale'), 'em', {textContent: page.scale});
    return () => {
        const picture = new ImageData(256, 1);
        new Uint32Array(picture.data.buffer).set(colourMaps[scheme()]);
        canvas.getContext('2d').putImageData(picture, 0, 0);
    };
}

function composeProvenance() {
    const made = JSON.parse(document.querySelector('recipe').textContent || '{}').made ?? {};
    const lines = [['Program', made.program]];
    for (const run of Object.values(made).filter(value => value?.title))
        lines.push(['Model', run.title], ['Fingerprint', run.fingerprint], ['Score gate’s bias', run.gateBias],
                   ['Token ids', run.tokens?.join(' ')]);
    for (const [name, value] of lines.filter(line => line[1] != null)) {
        add(byId('provenance'), 'dt', {textContent: name});
        add(byId('provenance'), 'dd', {textContent: value});
    }
}

function listenToKeys() {
    const release = () => pin(null);
    const acts = {'+': () => zoom(1.25), '=': () => zoom(1.25), '-': () => zoom(0.8), '0': fit,
                  Escape: () => pinned ? release() : closeHead()};
    document.addEventListener('keydown', event => {
        if (event.ctrlKey || event.altKey || event.metaKey || !acts[event.key])
            return;
        event.preventDefault();
        acts[event.key]();
    });
    Object.entries({in: acts['+'], out: acts['-'], fit, release}).forEach(([id, act]) => byId(id).onclick = act);
}

// On paper all of each grid, in the colours of paper, with four dots to a pixel.
function listenToPrinter(drawScale) {
    let kept = null;
    addEventListener('beforeprint', () => {
        kept = [{...view}, byId('made').open];
        isPrinting = byId('made').open = true;
        Object.assign(view, {zoom: 1, middle: [0.5, 0.5]});
        const width = document.body.classList.contains('stacked') || grids.length == 1 ? 680 : 335;
        for (const grid of drawn()) {
            grid.size = [width, MARGIN[1] + 2 + (width - MARGIN[0] - 2) / grid.extent[0] * grid.extent[1]];
            grid.draw(4);
        }
        drawScale();
    });
    addEventListener('afterprint', () => {
        isPrinting = false;
        Object.assign(view, kept[0]);
        byId('made').open = kept[1];
        drawn().forEach(grid => grid.resize());
        drawScale();
        redraw();
    });
}

async function start() {
    const blocks = [...document.querySelectorAll('script[type="application/octet-stream"]')];
    const tiles = await Promise.all(blocks.map(block => unpacked(block.textContent)));
    page.grids.forEach((data, number) => grids.push(new Grid(data, tiles[number])));
    grids.forEach(composeGrid);
    if (grids.some(grid => grid.matches.length || grid.hasOwnKeys))
        for (const grid of grids)
            for (const roles of grid.hasOwnKeys ? [['query'], ['key']] : [['query', 'key']])
                composeTokens(grid, `Tokens of ${grid.title}, ${roles.join(' and ')}`, roles);
    else
        composeTokens(grids[0], 'Tokens');
    composeNext();
    const drawScale = composeScale();
    composeProvenance();
    listenToKeys();
    listenToPrinter(drawScale);
    darkness.addEventListener('change', () => (drawScale(), redraw()));
    drawScale();
    drawn().forEach(grid => grid.layOut());
    const grid = grids.find(one => one.mark);
    pin(grid ? {grid, index: 0, query: Array(2).fill(grid.mark[0]), key: Array(2).fill(grid.mark[1])} : null);
    redraw();
}

start().catch(error => {
    byId('problem').hidden = false;
    byId('problem').textContent = 'The tiles could not be drawn; open the page in a browser from 2023 or later ' +
        `(Firefox 113, Chromium 80, Safari 16.4), or make it again with headscope figure. (${error.message})`;
});
