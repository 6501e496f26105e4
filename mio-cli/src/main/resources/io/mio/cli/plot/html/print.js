// On paper: light, as wide as the paper, without what is pressed.

function beginPrint() {
    RENDER.printing = true;
    document.body.classList.add('printing');
    applyTheme();
    drawNow();
}

function endPrint() {
    RENDER.printing = false;
    document.body.classList.remove('printing');
    applyTheme();
    drawNow();
}

/** Draws all panels at once: paper does not wait for the next frame. */
function drawNow() {
    cancelAnimationFrame(RENDER.frame);
    RENDER.frame = 0;
    RENDER.quick = false;
    begin();
    while (RENDER.frame !== 0) {
        cancelAnimationFrame(RENDER.frame);
        go();
    }
    drawOverviews();
}

function attachPrint() {
    const media = matchMedia('print');
    media.addEventListener('change', () => (media.matches ? beginPrint() : endPrint()));
    window.addEventListener('beforeprint', beginPrint);
    window.addEventListener('afterprint', endPrint);
}
