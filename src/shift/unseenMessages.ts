/** The number of messages that the person has not seen. The frame shows it beside its link. */
import { create } from 'zustand';

export const useUnseen = create<{ count: number }>(() => ({ count: 0 }));

export const setUnseen = (count: number) => useUnseen.setState({ count });
