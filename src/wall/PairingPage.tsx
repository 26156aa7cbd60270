/** The code that a display shows until somebody lets it in. */
export function PairingPage() {
  return <h1>Pair this display</h1>;
}
