/**
 * The map where no graphics card draws it: remote desktops, virtual machines, a driver that the browser rejects. Each
 * picture of the library then costs the main thread many milliseconds, so it draws few. A drag moves the drawn
 * picture and all marks as one layer, which costs next to nothing, and the library draws only now and then.
 */
import type { Map as LibraryMap } from 'mapbox-gl';

/** No more than one picture in this time. */
const BETWEEN_PICTURES_MS = 200;
/** A picture dragged so far is replaced by a new one, as its edge is blank. */
const DRAWN_AGAIN_FROM_PX = 250;
/** Less is a click. */
const DRAG_FROM_PX = 3;

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

let known: boolean | undefined;

/** Whether programs, not a graphics card, draw. Found once a visit. */
export const isDrawnBySoftware = (): boolean => (known ??= findOut());

function findOut(): boolean {
  const canvas = document.createElement('canvas');
  // Browsers refuse this at once where they would draw by software, so it costs nothing where time is dear.
  const gl = canvas.getContext('webgl2', { failIfMajorPerformanceCaveat: true });
  if (!gl) return true;
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const name: unknown = info && gl.getParameter(info.UNMASKED_RENDERER_WEBGL);
  gl.getExtension('WEBGL_lose_context')?.loseContext(); // browsers allow few contexts
  return typeof name === 'string' && SOFTWARE.test(name);
}

/** Makes the map draw seldom. Returns what undoes it. */
export function drawSeldom(map: LibraryMap): () => void {
  const stopDragging = dragAsLayer(map);
  const draw = map.triggerRepaint.bind(map);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = -Infinity;
  map.triggerRepaint = () => {
    if (timer !== undefined) return;
    const wait = last + BETWEEN_PICTURES_MS - performance.now();
    const now = () => {
      timer = undefined;
      last = performance.now();
      draw();
    };
    if (wait <= 0) now();
    else timer = setTimeout(now, wait);
  };
  return () => {
    clearTimeout(timer);
    stopDragging();
  };
}

/** Replaces the library's own dragging by one pointer; two fingers stay with the library. */
function dragAsLayer(map: LibraryMap): () => void {
  const layer = map.getCanvasContainer();
  map.dragPan.disable();
  layer.style.touchAction = 'none'; // which the library's dragging would set
  let drag: { pointer: number; x: number; y: number; moved: boolean } | null = null;
  let offset: [x: number, y: number] = [0, 0];

  /** The map itself goes where the layer was moved to. */
  const draw = () => {
    const [x, y] = offset;
    offset = [0, 0];
    if (x !== 0 || y !== 0) map.panBy([-x, -y], { duration: 0 });
    map.redraw(); // in the same frame, so that nothing jumps
    layer.style.transform = '';
  };
  const end = () => {
    if (drag?.moved) draw();
    drag = null;
  };
  const onDown = (event: PointerEvent) => {
    if (drag) return end(); // a second finger
    if (event.button !== 0) return;
    drag = { pointer: event.pointerId, x: event.clientX, y: event.clientY, moved: false };
  };
  const onMove = (event: PointerEvent) => {
    if (drag?.pointer !== event.pointerId) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(x, y) < DRAG_FROM_PX) return;
    drag.moved = true;
    offset = [x, y];
    layer.style.transform = `translate3d(${x}px, ${y}px, 0)`;
    if (Math.hypot(x, y) < DRAWN_AGAIN_FROM_PX) return;
    draw();
    drag = { ...drag, x: event.clientX, y: event.clientY };
  };
  const onUp = (event: PointerEvent) => {
    if (drag?.pointer !== event.pointerId) return;
    // The click that ends a drag is not one on a mark.
    if (drag.moved) layer.addEventListener('click', stopClick, { capture: true, once: true });
    setTimeout(() => layer.removeEventListener('click', stopClick, { capture: true }));
    end();
  };
  const stopClick = (event: Event) => {
    event.stopPropagation();
    event.preventDefault();
  };

  layer.addEventListener('pointerdown', onDown);
  window.addEventListener('pointermove', onMove);
  window.addEventListener('pointerup', onUp);
  window.addEventListener('pointercancel', onUp);
  return () => {
    layer.removeEventListener('pointerdown', onDown);
    window.removeEventListener('pointermove', onMove);
    window.removeEventListener('pointerup', onUp);
    window.removeEventListener('pointercancel', onUp);
  };
}
