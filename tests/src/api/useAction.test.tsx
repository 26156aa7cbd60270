import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { Refused } from '../../../src/api/http.ts';
import { useAction, useSubmit } from '../../../src/api/useAction.ts';

function Screen({ action, after }: { action: () => Promise<string | void>; after?: () => Promise<void> }) {
  const { run, isBusy, failure, isConflict, done } = useAction(after);
  return (
    <>
      <p>{isBusy ? 'busy' : 'idle'}</p>
      <p>{failure}</p>
      <p>{isConflict ? 'somebody was first' : 'no conflict'}</p>
      <p>{done}</p>
      <button type="button" onClick={() => void run(action, 'Unable to save this')}>
        Save
      </button>
    </>
  );
}
const press = () => act(async () => screen.getByRole('button').click());

it('is busy until the page shows its effect, and says so', async () => {
  let shown = () => {};
  const after = () => new Promise<void>((resolve) => (shown = resolve));
  render(<Screen action={async () => 'Saved.'} after={after} />);
  await press();
  expect(screen.getByText('busy')).toBeTruthy();
  expect(screen.queryByText('Saved.')).toBeNull();
  await act(async () => shown());
  expect(screen.getByText('idle')).toBeTruthy();
  expect(screen.getByText('Saved.')).toBeTruthy();
});

it('is a conflict only if somebody else was first, and only until the next one', async () => {
  const answers = [
    new Refused(403, 'Not for you.'),
    new Refused(409, 'Sam Lee changed it.'),
    Object.assign(new Error('The proxy’s own'), { status: 409 }),
  ];
  render(<Screen action={async () => Promise.reject(answers.shift())} />);
  await press();
  expect(screen.getByText('no conflict')).toBeTruthy();
  await press();
  expect(screen.getByText('somebody was first')).toBeTruthy();
  await press();
  expect(screen.getByText('no conflict')).toBeTruthy();
});

it('forgets the last conflict while the next action is on its way, even if that fails', async () => {
  let answer: { done: (words: string) => void; fail: (why: Error) => void } | undefined;
  const action = () => new Promise<string>((done, fail) => (answer = { done, fail }));
  render(<Screen action={action} />);
  await press();
  await act(async () => answer!.done('Saved.'));
  expect(screen.getByText('Saved.')).toBeTruthy();
  await press();
  expect(screen.queryByText('Saved.')).toBeNull();
  await act(async () => answer!.fail(new Refused(409, 'Sam Lee changed it.')));
  expect(screen.getByText('somebody was first')).toBeTruthy();
  await press();
  expect(screen.getByText('no conflict')).toBeTruthy();
});

it('calls the page as it was last drawn, not as it was first', async () => {
  const followed: string[] = [];
  const after = (name: string) => async () => void followed.push(name);
  const { rerender } = render(<Screen action={async () => {}} after={after('first')} />);
  rerender(<Screen action={async () => {}} after={after('latest')} />);
  await press();
  expect(followed).toEqual(['latest']);
});

it('begins no second one while the first is on its way', async () => {
  let begun = 0;
  const action = () => {
    begun++;
    return new Promise<void>(() => {});
  };
  render(<Screen action={action} />);
  await press();
  await press();
  expect(begun).toBe(1);
});

it('says why it failed until the next one, and then does not wait for the page', async () => {
  const answers = [new Refused(409, 'Somebody else was first.'), new TypeError('x is undefined'), 'Saved.'];
  const action = async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  let isLooking = false;
  const after = () => {
    isLooking = true;
    return answers.length > 0 ? new Promise<void>(() => {}) : Promise.resolve();
  };
  render(<Screen action={action} after={after} />);
  await press();
  expect(screen.getByText('Somebody else was first.')).toBeTruthy();
  expect(screen.getByText('idle')).toBeTruthy();
  expect(isLooking).toBe(true);
  await press();
  expect(screen.getByText('Unable to save this')).toBeTruthy();
  await press();
  expect(screen.queryByText('Unable to save this')).toBeNull();
  expect(screen.getByText('Saved.')).toBeTruthy();
});

it('sends a form once, however often it is pressed, and again after a refusal', async () => {
  const sends: { done: () => void; fail: (why: Error) => void }[] = [];
  function Note() {
    const { action, failure } = useSubmit(
      () => new Promise<void>((done, fail) => void sends.push({ done, fail })),
      'Unable to save this',
    );
    return (
      <form action={action}>
        <p>{failure}</p>
        <button type="submit">Save</button>
      </form>
    );
  }
  render(<Note />);
  await act(async () => {
    for (const _ of [1, 2]) screen.getByRole('button').click(); // before the page shows that it is busy
  });
  await act(async () => sends[0]!.fail(new Refused(422, 'Too long.')));
  expect(screen.getByText('Too long.')).toBeTruthy();
  expect(sends).toHaveLength(1);
  await press();
  await act(async () => sends[1]!.done());
  expect(screen.queryByText('Too long.')).toBeNull();
  expect(sends).toHaveLength(2);
});

it('leaves the choices of a refused form as they were made', async () => {
  // A browser does this: the simulated page resets a form before it sends the event, and so cannot be stopped.
  const { reset } = HTMLFormElement.prototype;
  const spy = vi.spyOn(HTMLFormElement.prototype, 'reset').mockImplementation(function (
    this: HTMLFormElement,
  ) {
    if (this.dispatchEvent(new Event('reset', { bubbles: true, cancelable: true }))) reset.call(this);
  });
  function Report() {
    const [typed, setTyped] = useState({ grade: 'low', told: true, title: '' });
    const { action, failure } = useSubmit(
      async () => Promise.reject(new Refused(422, 'No such junction.')),
      'Unable to save this',
    );
    return (
      <form action={action}>
        <input value={typed.title} onChange={({ target }) => setTyped({ ...typed, title: target.value })} />
        <select value={typed.grade} onChange={({ target }) => setTyped({ ...typed, grade: target.value })}>
          <option value="low">Low</option>
          <option value="high">High</option>
        </select>
        <input
          type="checkbox"
          checked={typed.told}
          onChange={({ target }) => setTyped({ ...typed, told: target.checked })}
        />
        <p>{failure}</p>
        <button type="submit">Save</button>
      </form>
    );
  }
  render(<Report />);
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Car on fire' } });
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'high' } });
  fireEvent.click(screen.getByRole('checkbox'));
  await press();
  expect(spy).toHaveBeenCalledOnce();
  spy.mockRestore();
  expect(screen.getByText('No such junction.')).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('Car on fire');
  expect(screen.getByRole<HTMLSelectElement>('combobox').value).toBe('high');
  expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(false);
});
