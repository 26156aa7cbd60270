import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { Button } from '../../../../src/ui/controls/Button.tsx';

it('keeps the focus while it sends, and sends only once', async () => {
  let sent = 0;
  let clicked = 0;
  const form = (busy: boolean) => (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sent += 1;
      }}
    >
      <input aria-label="Name" />
      <Button type="submit" busy={busy} onClick={() => (clicked += 1)}>
        Save
      </Button>
    </form>
  );
  const { rerender } = render(form(false));
  const button = screen.getByRole('button', { name: 'Save' });
  await userEvent.tab();
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  expect([sent, clicked]).toEqual([1, 1]);

  rerender(form(true));
  expect(document.activeElement).toBe(button);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await userEvent.keyboard('{Enter}');
  await userEvent.click(button);
  await userEvent.type(screen.getByLabelText('Name'), 'M62{Enter}');
  expect([sent, clicked]).toEqual([1, 1]);

  rerender(form(false));
  await userEvent.click(button);
  expect([sent, clicked]).toEqual([2, 2]);
});

const scripts: Record<string, string> = import.meta.glob('/src/**/*.tsx', {
  query: '?raw',
  import: 'default',
  eager: true,
});

it('is nowhere disabled by what it has just begun: `busy` says that', () => {
  const begun =
    /\bdisabled=\{[^}]*\b(?:busy|isBusy|(?:is)?(?:saving|sending)|renewing|revoking|giving|answering)\b/i;
  const found = Object.entries(scripts).flatMap(([path, text]) =>
    [...text.matchAll(/<(?:Button|select)\b(?:[^>]|=>)*?>/g)].flatMap(([tag]) =>
      begun.test(tag.replaceAll(/aria-disabled=\{[^}]*\}/g, '')) ? `${path}: ${tag}` : [],
    ),
  );
  expect(found).toEqual([]);
});
