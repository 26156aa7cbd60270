import { useBoard } from '../board/useBoard.ts';

/** Five feeds on one screen, to be read from across a room. */
export function WallBoard() {
  const { view } = useBoard(true);

  return <h1>Live Disruptions Board{view.state === 'loading' && ', loading'}</h1>;
}
