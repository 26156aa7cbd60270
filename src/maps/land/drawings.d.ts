/**
 * The outline of the UK, Ireland, the Isle of Man, Jersey and Guernsey in WGS84 degrees, one feature each with its
 * `name`: a background for the map that needs no network. build/outline.ts makes it. It is 17 kB compressed, so load
 * it with `import('virtual:outline')` beside the map library. Natural Earth is in the public domain: no attribution.
 */
declare module 'virtual:outline' {
  const outline: import('geojson').FeatureCollection<
    import('geojson').Polygon | import('geojson').MultiPolygon,
    { name: string }
  >;
  export default outline;
}
/**
 * SVG paths in units of the picture (src/screens/wall/projection.ts), made by build/silhouette.ts. `land`: the United
 * Kingdom and the Isle of Man without Shetland, which is in `shetland`, at the place of its box; `neighbour`:
 * Ireland. Natural Earth is in the public domain and needs no attribution. `towns`: the largest first, each with its
 * spot; GeoNames, CC BY 4.0.
 */
declare module 'virtual:silhouette' {
  export const land: string;
  export const shetland: string;
  export const neighbour: string;
  export const towns: readonly (readonly [name: string, x: number, y: number])[];
}
