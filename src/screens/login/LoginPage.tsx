import { pageAddress } from '#contract/addresses.ts';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from '../../device/address/useAddress.ts';
import { useSubmit } from '../../api/useAction.ts';
import { asksForCode } from '../../api/accounts/auth.ts';
import { useRuntimeConfig } from '../../api/runtimeConfig.ts';
import { signIn } from '../../session/session.ts';
import { addressAfterSignIn } from '../../session/wayBack.ts';
import { Brand } from '../../ui/page/Brand.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { DiversionSign } from '../../ui/signs/DiversionSign.tsx';
import { bound, CodeField, Field } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { SkipLink } from '../../ui/page/SkipLink.tsx';
import { useHere } from '../../ui/useHere.ts';
import styles from './LoginPage.module.css';

/** Signing in. Access is by invitation: there is no form to register. */
export function LoginPage() {
  const navigate = useNavigate();
  const { contact_email } = useRuntimeConfig();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  // Undefined until the server asks for a code.
  const [code, setCode] = useState<string>();
  const codeField = useRef<HTMLDivElement>(null);
  const asksCode = code !== undefined;
  const isHere = useHere();
  useEffect(() => {
    if (asksCode) codeField.current?.querySelector('input')?.focus();
  }, [asksCode]);
  const { action, isBusy, failure } = useSubmit(async () => {
    try {
      await signIn(email, password, code?.trim());
      if (isHere()) navigate(addressAfterSignIn());
    } catch (error) {
      if (asksForCode(error)) setCode('');
      if (asksCode || !asksForCode(error)) throw error;
    }
  }, 'Login failed. Please check your credentials.');

  return (
    <div className={styles.page}>
      <SkipLink />
      <header className={styles.sign} data-tone="1" data-theme="board">
        <Brand href={pageAddress('landing')} />
        <div className={styles.panel} data-only="wide">
          <DiversionSign />
        </div>
        <p data-only="wide">The live board for people who have to get a coach there on time.</p>
      </header>
      <main id="main" className={styles.place}>
        <form action={action} className={styles.form} data-stack="5">
          <div>
            <h1>Sign In</h1>
            <p data-tone="3">
              Access is by invitation only. <a href={`mailto:${contact_email}`}>Ask the team for one</a>.
            </p>
          </div>
          {failure && <Notice>{failure}</Notice>}
          <Field
            label="Email"
            name="email"
            type="email"
            required
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={email}
            onChange={(event) => {
              setEmail(event.target.value);
              setCode(undefined);
            }}
          />
          <Field
            label="Password"
            name="password"
            type="password"
            required
            autoComplete="current-password"
            {...bound(password, setPassword)}
          />
          {asksCode && (
            <div ref={codeField}>
              <CodeField
                name="code"
                required
                hint="Six digits from your authenticator app, or a recovery code."
                {...bound(code, setCode)}
              />
            </div>
          )}
          <Button type="submit" kind="primary" busy={isBusy}>
            {isBusy ? 'Signing in...' : 'Sign In'}
          </Button>
        </form>
      </main>
    </div>
  );
}
