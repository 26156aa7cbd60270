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
