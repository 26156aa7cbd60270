import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { NavBar } from '../../../src/app/NavBar.tsx';

const user = userEvent.setup();
const button = () => screen.getByRole('button', { name: 'Shift' });

beforeEach(async () => {
  history.replaceState(null, '', '/map');
  render(<NavBar />);
  await screen.findByRole('button', { name: 'Shift' });
});

it('leads to the handover and the history, and closes by the way', async () => {
  expect(screen.queryByRole('link', { name: 'Handover' })).toBeNull();
  await user.click(button());
  expect(button().getAttribute('aria-expanded')).toBe('true');
  const links = within(button().closest('li')!).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Handover', '/handover'],
    ['History', '/history'],
  ]);
  await user.click(links[0]!);
  expect(location.pathname).toBe('/handover');
  expect(screen.queryByRole('link', { name: 'Handover' })).toBeNull();
  expect(button().getAttribute('aria-current')).toBe('true');
});

it('closes on Escape, which gives the focus back, and when the focus leaves it', async () => {
  button().focus();
  await user.keyboard('{Enter}{Tab}');
  expect(document.activeElement?.textContent).toBe('Handover');
  await user.keyboard('{Escape}');
  expect(document.activeElement).toBe(button());
  expect(screen.queryByRole('link', { name: 'Handover' })).toBeNull();
  await user.keyboard('{Enter}{Tab}{Tab}{Tab}');
  expect(screen.queryByRole('link', { name: 'Handover' })).toBeNull();
});

it('is beside Messages, which is marked on the page of briefs as well', async () => {
  act(() => {
    history.pushState(null, '', '/briefs/b1');
  });
  const messages = await screen.findByRole('link', { name: /^Messages/, current: true });
  expect(messages.getAttribute('href')).toBe('/messages');
  expect(screen.queryByRole('link', { current: 'page' })).toBeNull();
});
