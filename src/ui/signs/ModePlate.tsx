import { AirplaneTiltIcon } from '@phosphor-icons/react/dist/csr/AirplaneTilt';
import { CloudRainIcon } from '@phosphor-icons/react/dist/csr/CloudRain';
import { InfoIcon } from '@phosphor-icons/react/dist/csr/Info';
import { RoadHorizonIcon } from '@phosphor-icons/react/dist/csr/RoadHorizon';
import { ShieldWarningIcon } from '@phosphor-icons/react/dist/csr/ShieldWarning';
import { TrainIcon } from '@phosphor-icons/react/dist/csr/Train';
import styles from './ModePlate.module.css';

const PICTOGRAMS = {
  Rail: TrainIcon,
  Roads: RoadHorizonIcon,
  Aviation: AirplaneTiltIcon,
  Weather: CloudRainIcon,
  Safety: ShieldWarningIcon,
};

/** The plate with a feed's pictogram. Decorative: the feed's title says the same. */
export function ModePlate({ category }: { category: keyof typeof PICTOGRAMS | null }) {
  const Pictogram = category ? PICTOGRAMS[category] : InfoIcon;

  return (
    <span className={styles.plate} aria-hidden="true">
      <Pictogram weight="fill" />
    </span>
  );
}
