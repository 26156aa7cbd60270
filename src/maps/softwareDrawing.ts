/**
 * The map without a graphics card: on remote desktops, on virtual machines, and with a driver that the browser
 * rejects. Then each picture of the library costs the main thread many milliseconds, so the library draws few. A drag
 * moves the drawn picture and all marks as one layer, which costs next to nothing, and the library draws only from
 * time to time.
 */
import type { Map as LibraryMap } from 'mapbox-gl';

/** At most one picture is drawn in this time. */
const BETWEEN_PICTURES_MS = 200;
/** A picture that was dragged this far is replaced by a new one, because its edge is blank. */
const DRAWN_AGAIN_FROM_PX = 250;
/** Less is a click. */
const DRAG_FROM_PX = 3;

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

let known: boolean | undefined;

/** Whether the browser draws without a graphics card. It is found out once in a visit. */
export const isDrawnBySoftware = (): boolean => (known ??= findOut());

function findOut(): boolean {
  const canvas = document.createElement('canvas');
  // Browsers that would draw by software refuse this at once, so the check costs little on slow machines.
  const gl = canvas.getContext('webgl2', { failIfMajorPerformanceCaveat: true });
  if (!gl) return true;
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const name: unknown = info && gl.getParameter(info.UNMASKED_RENDERER_WEBGL);
  gl.getExtension('WEBGL_lose_context')?.loseContext(); // browsers allow few contexts
  return typeof name === 'string' && SOFTWARE.test(name);
}

/** Makes the map draw seldom. Returns a function that undoes this. */
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

/** Replaces the library's dragging with one pointer; dragging with two fingers stays with the library. */
function dragAsLayer(map: LibraryMap): () => void {
  const layer = map.getCanvasContainer();
  map.dragPan.disable();
  layer.style.touchAction = 'none'; // which the library's dragging would set
  let drag: { pointer: number; x: number; y: number; moved: boolean } | null = null;
  let offset: [x: number, y: number] = [0, 0];

  /** Moves the map itself to the place of the moved layer. */
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
    // The click at the end of a drag must not count as a click on a mark.
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
