/** The number on the installed app's icon: critical alerts of the board as last loaded. Not every system shows
 *  one. */

export async function showBadge(criticals: number): Promise<void> {
  try {
    if (criticals > 0) await navigator.setAppBadge?.(criticals);
    else await navigator.clearAppBadge?.();
  } catch {
    /* not installed, or not allowed: the board shows the same */
  }
}
