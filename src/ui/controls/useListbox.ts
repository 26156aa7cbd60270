import { type KeyboardEvent, useId, useState } from 'react';

/**
 * A list of options below a text field, by the combobox pattern of ARIA 1.2: the text keeps the focus, the arrows go
 * round the options, and the text itself is the position before the first. It is written by hand, because the
 * libraries expect one line of text that is the choice; one of our fields has several lines, and the choice is only a
 * part of them.
 */
export function useListbox<T>({
  options,
  isOpen,
  onOpen,
  onPick,
  onClose,
}: {
  options: readonly T[];
  isOpen: boolean;
  /** Called when an arrow opens a closed list that has options. */
  onOpen?: () => void;
  onPick: (option: T) => void;
  onClose: () => void;
}) {
  const id = useId();
  const [active, setActive] = useState(-1);

  /** Whether the list has handled the key. */
  function steer(event: KeyboardEvent): boolean {
    const option = isOpen ? options[active] : undefined;
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    if (isArrow && options.length > 0) {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      const places = options.length + 1;
      setActive(isOpen ? ((active + 1 + step + places) % places) - 1 : 0);
      if (!isOpen) onOpen?.();
    } else if (event.key === 'Enter' && option !== undefined) onPick(option);
    else if (event.key === 'Escape' && isOpen) onClose();
    else return false;
    event.preventDefault();
    return true;
  }

  return {
    steer,
    /** Back to the text. */
    reset: () => setActive(-1),
    field: {
      'aria-autocomplete': 'list',
      'aria-activedescendant': isOpen && active >= 0 ? `${id}-${active}` : undefined,
      autoComplete: 'off',
      spellCheck: false,
    } as const,
    list: { id, role: 'listbox' } as const,
    option: (index: number) =>
      ({
        id: `${id}-${index}`,
        role: 'option',
        tabIndex: -1,
        'aria-selected': index === active,
        onPointerDown: (event: { preventDefault(): void }) => event.preventDefault(), // the text keeps the focus
        onClick: () => onPick(options[index]!), // only an option on screen can be clicked
      }) as const,
  };
}
