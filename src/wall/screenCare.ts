/** Keeps a wall's screen awake, full, without a cursor and without burn-in. */
export function useScreenCare(): void {}
