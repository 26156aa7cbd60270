import { type Channel, listChannels, toldMembers } from '../../../api/watches/channels.ts';
import { useLoad } from '../../../api/useLoad.ts';

/** A channel gets what one route, area or feed lets through. */
export const covers = ({ watch_ids }: Pick<Channel, 'watch_ids'>, watchId: string): boolean =>
  watch_ids === null || watch_ids.includes(watchId);

const isUsed = ({ state, what }: Channel) => state !== 'off' && Object.values(what).some(Boolean);

/** Who is told about it: the team's members by their own channels, and the team's channels. */
export function useTold(watchId: string) {
  const load = useLoad(
    async (signal) => {
      const [channels, members] = await Promise.all([
        listChannels(signal),
        toldMembers(watchId, signal).catch(() => []),
      ]);
      return { ...channels, members };
    },
    'Unable to load who is told',
    { until: 'answered' },
  );
  const known = 'data' in load ? load.data : undefined;
  const people = known?.members.filter(({ kinds }) => kinds.length > 0).length ?? 0;
  const channels =
    known?.channels.filter((one) => one.is_team && isUsed(one) && covers(one, watchId)).length ?? 0;
  return { ...load, count: known ? people + channels : undefined };
}
