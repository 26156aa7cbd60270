import { FlaskIcon } from '@phosphor-icons/react/dist/csr/Flask';
import { TempSign } from './TempSign.tsx';

/** Stands over everything invented, on whatever screen: none of it may pass for live. */
export function DemoSign() {
  return (
    <TempSign icon={<FlaskIcon weight="bold" aria-hidden />}>
      <strong>Demo data. Not live.</strong>
    </TempSign>
  );
}
