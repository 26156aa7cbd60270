import { ArrowFatDownIcon } from '@phosphor-icons/react/dist/csr/ArrowFatDown';
import { ArrowFatUpIcon } from '@phosphor-icons/react/dist/csr/ArrowFatUp';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import { isWorsening } from '#contract/incidents/worstFirst.ts';

/** An arrow beside the words for an alert's trend, which say the same. */
export function TrendArrow({ alert }: { alert: Alert }) {
  const Arrow = isWorsening(alert) ? ArrowFatUpIcon : ArrowFatDownIcon;
  return <Arrow weight="fill" aria-hidden />;
}
