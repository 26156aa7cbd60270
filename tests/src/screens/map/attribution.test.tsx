import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Attribution } from '../../../../src/screens/map/MapPage.tsx';

it('holds every word, and can be opened if there is room for only one line', () => {
  render(<Attribution texts={['© OpenStreetMap contributors', null, 'Contains GeoNames data, CC BY 4.0']} />);
  const words = screen.getByText('© OpenStreetMap contributors · Contains GeoNames data, CC BY 4.0');

  const button = screen.getByRole('button', { name: 'Map licences', hidden: true });
  expect(button.getAttribute('aria-controls')).toBe(words.id);
  expect(button.getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('true');
});
