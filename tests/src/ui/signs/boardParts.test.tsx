import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { Flap } from '../../../../src/ui/signs/Flap.tsx';
import { ModePlate } from '../../../../src/ui/signs/ModePlate.tsx';
import { OutsideLink, webAddress } from '../../../../src/ui/signs/OutsideLink.tsx';
import { SegmentedSwitch } from '../../../../src/ui/controls/SegmentedSwitch.tsx';
import { GRADES, Severity } from '../../../../src/ui/signs/Severity.tsx';
import { StatusLine } from '../../../../src/ui/signs/StatusLine.tsx';
import { Tally } from '../../../../src/ui/signs/Tally.tsx';
import { ProductSign } from '../../../../src/ui/signs/ProductSign.tsx';

describe('Severity', () => {
  it('has a word and a symbol for every grade, with the symbol hidden from screen readers', () => {
    const { container } = render(GRADES.map((grade) => <Severity key={grade} grade={grade} />));
    expect([...container.children].map(({ textContent }) => textContent)).toEqual([
      'Critical',
      'High',
      'Medium',
      'Low',
      'Unrated',
    ]);
    const symbols = [...container.querySelectorAll('svg')];
    expect(symbols.every((symbol) => symbol.getAttribute('aria-hidden') === 'true')).toBe(true);
    // Unrated is drawn as low, hollow.
    expect(new Set(symbols.map(({ innerHTML }) => innerHTML)).size).toBe(4);
  });

  it('gives a plate to critical alone', () => {
    const { container } = render(
      GRADES.map((grade) => <Severity key={grade} grade={grade} count={2} plate />),
    );
    const plates = [...container.querySelectorAll('[data-plate]')];
    expect(plates.map(({ textContent }) => textContent)).toEqual(['2 Critical']);
  });
});

it('Tally counts by grade, and says what it does not know', () => {
  const counts = [
    { grade: 'critical', count: 1 },
    { grade: 'low', count: 12 },
  ] as const;
  render(<Tally label="Active alerts by severity" counts={counts} unlisted={7} />);
  expect(screen.getByRole('list', { name: 'Active alerts by severity' })).toBeTruthy();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '1 Critical',
    '12 Low',
    'and 7 more',
  ]);
});

it('StatusLine has a different symbol for each status', () => {
  const { container } = render(
    (['good', 'minor', 'moderate', 'severe', 'none'] as const).map((status) => (
      <StatusLine key={status} status={status}>
        {status}
      </StatusLine>
    )),
  );
  const symbols = [...container.querySelectorAll('svg')].map(({ innerHTML }) => innerHTML);
  expect(new Set(symbols).size).toBe(5);
});

describe('Flap', () => {
  const tiles = (container: HTMLElement) =>
    [...container.querySelectorAll('b')].map((tile) => tile.querySelector('span')!.textContent);

  it.each([
    [0, ['0'], '0'],
    [18, ['1', '8'], '18'],
    [147, ['1', '4', '7'], '147'],
    [123456, ['9', '9', '9', '9'], '123456'],
    [null, ['–'], 'Not known'],
  ])('shows %s on tiles, and gives it in words', (value, expected, words) => {
    const { container } = render(<Flap value={value} />);
    expect(tiles(container)).toEqual(expected);
    expect(screen.getByText(words, { ignore: '[aria-hidden] *' })).toBeTruthy();
  });

  it('turns only the digits that change, and comes to rest', () => {
    const { container, rerender } = render(<Flap value={18} />);
    const turning = () =>
      [...container.querySelectorAll('b')].map((tile) => tile.querySelectorAll('i').length > 0);
    expect(turning()).toEqual([false, false]);
    rerender(<Flap value={19} />);
    expect(turning()).toEqual([false, true]);
    act(() => void fireEvent.animationEnd(container.querySelector('i:last-child')!));
    expect(turning()).toEqual([false, false]);
  });

  it('keeps its units in place when it gains a digit', () => {
    const { container, rerender } = render(<Flap value={9} />);
    const units = container.querySelector('b');
    rerender(<Flap value={19} />);
    expect(container.querySelectorAll('b')[1]).toBe(units);
  });
});

it('ModePlate is decorative, and has a default for unknown feeds', () => {
  const { container } = render(
    <>
      <ModePlate category="Rail" />
      <ModePlate category={null} />
    </>,
  );
  expect([...container.children].every((plate) => plate.getAttribute('aria-hidden') === 'true')).toBe(true);
  const drawings = [...container.querySelectorAll('svg')].map(({ innerHTML }) => innerHTML);
  expect(new Set(drawings).size).toBe(2);
});

describe('SegmentedSwitch', () => {
  function DemoOrLive() {
    const [value, setValue] = useState<'demo' | 'live'>('live');
    return (
      <SegmentedSwitch
        label="Data"
        options={[
          { value: 'demo', label: 'Demo' },
          { value: 'live', label: 'Live' },
        ]}
        value={value}
        onChange={setValue}
      />
    );
  }
  const checked = () =>
    (screen.getAllByRole('radio') as HTMLInputElement[]).find((radio) => radio.checked)?.value;

  it('is a group of radio buttons with a name', () => {
    render(<DemoOrLive />);
    expect(screen.getByRole('radiogroup', { name: 'Data' })).toBeTruthy();
    expect(checked()).toBe('live');
  });

  it('is set by a click', async () => {
    render(<DemoOrLive />);
    await userEvent.click(screen.getByRole('radio', { name: 'Demo' }));
    expect(checked()).toBe('demo');
  });

  it('is one stop for the keyboard, and set by the arrows', async () => {
    render(<DemoOrLive />);
    await userEvent.tab();
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Live' }));
    await userEvent.keyboard('{ArrowLeft}');
    expect(checked()).toBe('demo');
  });
});

it('ProductSign shows the text it is given', () => {
  render(
    <ProductSign icon={<svg data-testid="icon" aria-hidden />}>
      <strong>Demo data. Not live.</strong>
    </ProductSign>,
  );
  expect(screen.getByText('Demo data. Not live.')).toBeTruthy();
  expect(screen.getByTestId('icon')).toBeTruthy();
});

describe('OutsideLink', () => {
  it.each([
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['http://example.com', 'http://example.com/'],
    ['HTTPS://Example.com/', 'https://example.com/'],
    ['javascript:alert(1)', null],
    [' javascript:alert(1)', null],
    ['java\nscript:alert(1)', null],
    ['data:text/html,x', null],
    ['mailto:a@example.com', null],
    ['//example.com', null],
    ['/local', null],
    ['', null],
    [null, null],
  ])('%s leads to %s', (url, address) => {
    expect(webAddress(url)).toBe(address);
  });

  it('opens in a new tab and passes nothing on', () => {
    render(<OutsideLink url="https://example.com/">More</OutsideLink>);
    const link = screen.getByRole('link', { name: 'More' });
    expect(link.getAttribute('rel')).toBe('noopener noreferrer');
    expect(link.getAttribute('target')).toBe('_blank');
  });

  it('is not rendered without a valid address', () => {
    vi.spyOn(console, 'error');
    const { container } = render(<OutsideLink url="javascript:alert(1)">More</OutsideLink>);
    expect(container.textContent).toBe('');
  });
});
