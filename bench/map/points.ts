/** Invented events, the same for both maps: four in five are near one of forty towns, the rest anywhere. */
export interface BenchPoint {
  event_id: string;
  performance_id: string;
  name: string;
  latitude: number;
  longitude: number;
}

/** The place that both maps show and zoom into. */
export const LONDON = { latitude: 51.5, longitude: -0.12 };
export const FIRST_ZOOM = 6;
export const ZOOMS = 5;

export function points(count: number): BenchPoint[] {
  let state = 20261121;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const towns = Array.from({ length: 40 }, (_, town) =>
    town === 0 ? LONDON : { latitude: 50.4 + random() * 6, longitude: -4.5 + random() * 5.5 },
  );
  return Array.from({ length: count }, (_, number) => {
    const town = towns[Math.floor(random() * towns.length)]!;
    const isNear = random() < 0.8;
    const spread = () => (random() + random() + random() - 1.5) * 0.3;
    return {
      event_id: String(number),
      performance_id: String(number),
      name: `Event ${number}`,
      latitude: isNear ? town.latitude + spread() : 50 + random() * 8,
      longitude: isNear ? town.longitude + spread() : -6 + random() * 7.5,
    };
  });
}
