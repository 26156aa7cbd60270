import { DISPLAY_NAME_MAX, type AskingDisplay } from '#contract/displays/displays.ts';
import { userCodeProblem } from '#contract/displays/userCode.ts';
import { type ReactNode, startTransition, useEffect, useEffectEvent, useState } from 'react';
import { useSearch } from '../../device/address/useAddress.ts';
import { useSubmit } from '../../api/useAction.ts';
import { approveDisplay, denyDisplay, findAskingDisplay } from '../../api/displays/displays.ts';
import { codeAtPair } from '../../session/wayBack.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { bound, Field } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { Facts } from '../../ui/page/Facts.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { formatDateTime } from '../../time/london.ts';
import styles from './PairPage.module.css';

type Step =
  /** `scanned`: the code was in the address. */
  | { at: 'code'; scanned: boolean }
  | { at: 'question'; display: AskingDisplay }
  | { at: 'done'; heading: string; text: ReactNode };

/** /pair: a signed-in user approves or rejects a display. The QR code on the screen leads here with its code. */
export function PairPage() {
  const [code, setCode] = useState(codeAtPair(useSearch()));
  const [step, setStep] = useState<Step>({ at: 'code', scanned: true });
  const startOver = () => {
    setCode('');
    setStep({ at: 'code', scanned: false });
  };

  return (
    <Page heading="Pair a display" about="A paired screen on a wall shows the board without a sign-in.">
      {step.at === 'code' && (
        <EnterCode
          code={code}
          scanned={step.scanned}
          onCode={setCode}
          onFound={(display) => setStep({ at: 'question', display })}
        />
      )}
      {step.at === 'question' && (
        <Question
          display={step.display}
          onOther={startOver}
          onDone={(heading, text) => setStep({ at: 'done', heading, text })}
        />
      )}
      {step.at === 'done' && (
        <section className={styles.part} data-stack="5" role="status">
          <h2>{step.heading}</h2>
          <p>{step.text}</p>
          <div>
            <Button onClick={startOver}>Pair another display</Button>
          </div>
        </section>
      )}
    </Page>
  );
}

function EnterCode({
  code,
  scanned,
  onCode,
  onFound,
}: {
  code: string;
  scanned: boolean;
  onCode: (code: string) => void;
  onFound: (display: AskingDisplay) => void;
}) {
  const {
    action: find,
    isBusy: finding,
    failure,
  } = useSubmit(async () => {
    const problem = userCodeProblem(code);
    if (problem) return problem;
    return onFound(await findAskingDisplay(code));
  }, 'The server cannot be reached. Try again.');

  // A user who scanned the code need not press anything.
  const findAtOnce = useEffectEvent(() => {
    if (code && scanned) startTransition(find);
  });
  useEffect(() => findAtOnce(), []);

  return (
    <form action={find} className={`${styles.part} ${styles.code}`} data-stack="5">
      <Field
        label="Code on the screen"
        hint="Eight letters. Capitals, spaces and the hyphen do not matter."
        name="user_code"
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
        maxLength={40}
        required
        readOnly={finding} // the answer must be about this code
        {...bound(code, onCode)}
      />
      {failure && <Notice>{failure}</Notice>}
      <div>
        <Button type="submit" kind="primary" busy={finding}>
          {finding ? 'Looking…' : 'Continue'}
        </Button>
      </div>
    </form>
  );
}

function Question({
  display,
  onOther,
  onDone,
}: {
  display: AskingDisplay;
  onOther: () => void;
  onDone: (heading: string, text: ReactNode) => void;
}) {
  const [name, setName] = useState('');
  const {
    action: answer,
    isBusy: answering,
    failure,
  } = useSubmit(async (form) => {
    if (form?.get('answer') === 'approve') {
      await approveDisplay(display.user_code, name);
      onDone(
        'Approved',
        <>
          “<bdi>{name.trim()}</bdi>” will show the board in a few seconds.
        </>,
      );
    } else {
      await denyDisplay(display.user_code);
      onDone('Denied', 'The display was denied. It shows a new code.');
    }
  }, 'The server cannot be reached. Try again.');

  return (
    <form action={answer} className={styles.part} data-stack="5">
      <h2>Is this the display in front of you?</h2>
      <p>
        Approve it only if a screen that you can see shows <b>{display.user_code}</b>. It will show the board
        under your account, and nothing else.
      </p>
      <Facts
        className={styles.facts}
        facts={[
          ['Browser', display.user_agent || 'Not given'],
          ['Address', display.address],
          ['Asked', formatDateTime(display.asked_at)],
        ]}
      />
      <Field
        label="Name"
        hint="For example, the room that it is in."
        name="name"
        autoComplete="off"
        maxLength={DISPLAY_NAME_MAX}
        {...bound(name, setName)}
      />
      {failure && <Notice>{failure}</Notice>}
      <div data-row="3">
        <Button type="submit" name="answer" value="approve" kind="primary" busy={answering}>
          Approve
        </Button>
        <Button type="submit" name="answer" value="deny" kind="danger" busy={answering}>
          Deny
        </Button>
        <Button kind="quiet" busy={answering} onClick={onOther}>
          Another code
        </Button>
      </div>
    </form>
  );
}
