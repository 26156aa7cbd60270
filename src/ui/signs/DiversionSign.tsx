/** The yellow panel with a route round an obstruction; it fills its container. */
export function DiversionSign() {
  return (
    <svg
      width="100%"
      viewBox="0 0 340 350"
      role="img"
      aria-label="A route that diverts around an obstruction"
    >
      <rect width="340" height="350" rx="16" fill="var(--sign-yellow)" />
      <g fill="none" stroke="var(--sign-ink)">
        <rect x="8" y="8" width="324" height="334" rx="10" strokeWidth="5" />
        <path strokeWidth="38" d="M188 318v-38l-80-80v-28l80-80V78" />
      </g>
      <path fill="var(--sign-ink)" d="M188 26l52 58h-104zm8 112 48 48-48 48-48-48z" />
    </svg>
  );
}
