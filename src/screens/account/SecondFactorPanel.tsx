import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useAction, useSubmit } from '../../api/useAction.ts';
import {
  confirmSecondFactor,
  prepareSecondFactor,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '../../api/accounts/account.ts';
import { useLoad } from '../../api/useLoad.ts';
import { QrCode } from '../../ui/signs/QrCode.tsx';
import { reloadUser } from '../../session/session.ts';
import { formatDate } from '../../time/london.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { CopyCode } from '../../ui/controls/CopyButton.tsx';
import { bound, CodeField, Field } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { counted } from '#contract/numbers.ts';
import { Panel, LoadState } from '../../ui/page/Page.tsx';
import styles from './AccountPage.module.css';

type Step =
  | { at: 'begin' | 'renew' | 'remove' }
  | { at: 'confirm'; secret: string; uri: string }
  | { at: 'codes'; codes: string[] };

/** The second factor: setting it up, its recovery codes, and turning it off. */
export function SecondFactorPanel({ email }: { email: string }) {
  const load = useLoad(readSecondFactor, 'Unable to load your second factor');
  const [step, setStep] = useState<Step | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const close = () => {
    setStep(null);
    place.current?.focus(); // the button disappears with its step
  };
  const cancel = () => {
    close();
    // The answer to the request may have been lost.
    void load.reload();
  };
  /** Ends a step. The old state is not offered again meanwhile. */
  const finish = async () => {
    await load.reload();
    close();
    await reloadUser();
  };

  return (
    <div ref={place} tabIndex={-1}>
      <Panel heading="Second factor" sheet>
        <LoadState load={load} again={load.reload} />
        {load.state === 'ready' && step === null && (
          <div className={styles.form} data-stack="4">
            {load.data.state === 'off' ? (
              <>
                <p>
                  With a second factor, nobody can sign in with your password alone. Each time you also enter
                  a code from an app on your phone.
                </p>
                <Button kind="primary" onClick={() => setStep({ at: 'begin' })}>
                  Set up a second factor
                </Button>
              </>
            ) : (
              <>
                <p>
                  On{load.data.since && ` since ${formatDate(load.data.since)}`}.{' '}
                  {counted(load.data.recovery_codes_left ?? 0, 'recovery code')} left.
                </p>
                <div data-row="3">
                  <Button onClick={() => setStep({ at: 'renew' })}>New recovery codes</Button>
                  {!load.data.required && (
                    <Button kind="danger" onClick={() => setStep({ at: 'remove' })}>
                      Turn off
                    </Button>
                  )}
                </div>
              </>
            )}
          </div>
        )}
        {step?.at === 'begin' && (
          <Step
            email={email}
            asks="password"
            act="Continue"
            onCancel={cancel}
            onAct={async (password) => setStep({ at: 'confirm', ...(await prepareSecondFactor(password)) })}
          >
            <p>First enter your password again.</p>
          </Step>
        )}
        {step?.at === 'confirm' && (
          <Step
            key="confirm"
            email={email}
            asks="code"
            act="Turn on"
            onCancel={cancel}
            onAct={async (_, code) => setStep({ at: 'codes', codes: await confirmSecondFactor(code) })}
          >
            <p>
              Scan this with an authenticator app, or type the secret into it. Then enter the code that it
              shows.
            </p>
            <div className={styles.qr}>
              <QrCode text={step.uri} label="QR code for an authenticator app" />
            </div>
            <CopyCode
              small
              text={step.secret}
              shown={step.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
              about="the secret"
            />
          </Step>
        )}
        {step?.at === 'codes' && <Codes codes={step.codes} onDone={finish} />}
        {step?.at === 'renew' && (
          <Step
            email={email}
            asks="both"
            act="Make new codes"
            onCancel={cancel}
            onAct={async (password, code) =>
              setStep({ at: 'codes', codes: await renewRecoveryCodes(password, code) })
            }
          >
            <p>The codes that you have now stop working.</p>
          </Step>
        )}
        {step?.at === 'remove' && (
          <Step
            email={email}
            asks="both"
            act="Turn off"
            danger
            onCancel={cancel}
            onAct={async (password, code) => {
              await removeSecondFactor(password, code);
              await finish();
            }}
          >
            <p>Your password alone signs you in again.</p>
          </Step>
        )}
      </Panel>
    </div>
  );
}

/** One step: the password, the code or both. The first field takes the focus. */
function Step({
  email,
  asks,
  act,
  danger = false,
  onAct,
  onCancel,
  children,
}: {
  email: string;
  asks: 'password' | 'code' | 'both';
  act: string;
  danger?: boolean;
  onAct: (password: string, code: string) => Promise<void>;
  onCancel: () => void;
  children: ReactNode;
}) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input:not([hidden])')?.focus(), []);
  const { action, isBusy, failure } = useSubmit(
    () => onAct(password, code),
    'Unable to change the second factor',
  );

  return (
    <form ref={form} action={action} className={styles.form} data-stack="4">
      {children}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      {asks !== 'code' && (
        <Field
          label="Your password"
          type="password"
          required
          autoComplete="current-password"
          {...bound(password, setPassword)}
        />
      )}
      {asks !== 'password' && (
        <CodeField
          required
          {...(asks !== 'both' && { hint: 'Six digits from the app.' })}
          {...bound(code, setCode)}
        />
      )}
      {failure && <Notice>{failure}</Notice>}
      <div data-row="3">
        <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={isBusy}>
          {act}
        </Button>
        <Button kind="quiet" busy={isBusy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** The recovery codes, shown once. They take the focus, so that they are read out. */
function Codes({ codes, onDone }: { codes: string[]; onDone: () => Promise<void> }) {
  const { run, isBusy } = useAction();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  return (
    <div className={styles.form} data-stack="4">
      <h3 ref={heading} tabIndex={-1}>
        Your recovery codes
      </h3>
      <p>Each signs you in once without your phone. Keep them apart from it. They are shown only now.</p>
      <CopyCode small text={codes.join('\n')} about="the recovery codes" />
      <Button kind="primary" busy={isBusy} onClick={() => void run(onDone, '')}>
        I have kept them
      </Button>
    </div>
  );
}
