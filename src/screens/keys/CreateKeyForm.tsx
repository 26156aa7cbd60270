import { useActionState, useEffect, useRef, useState } from 'react';
import { failureText } from '../../api/failureText.ts';
import { createKey } from '../../api/accounts/keys.ts';
import { useRuntimeConfig } from '../../api/runtimeConfig.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Field, SelectField } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { Panel } from '../../ui/page/Panel.tsx';
import styles from './CreateKeyForm.module.css';

/** Creates a key of the free tier; the team grants the other tiers. It is empty each time it is opened. */
export function CreateKeyForm({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (name: string, key: string) => void;
}) {
  const { contact_email } = useRuntimeConfig();
  const [name, setName] = useState('');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  const [failure, submit, creating] = useActionState(async () => {
    try {
      onCreated(name.trim(), await createKey(name));
      return null;
    } catch (error) {
      return failureText(error, 'Failed to create API key');
    }
  }, null);

  return (
    <Panel heading="New key" sheet>
      <form ref={form} action={submit} data-stack="5">
        {failure && !creating && <Notice>{failure}</Notice>}
        <div className={styles.fields}>
          <Field
            label="Name"
            name="name"
            required
            // Enough for the server's own limit in any script.
            maxLength={200}
            autoComplete="off"
            placeholder="Production, Development, Testing"
            hint="The system that will use it."
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <SelectField
            label="Tier"
            name="tier"
            disabled
            defaultValue="free"
            hint={
              <>
                For a higher tier, <a href={`mailto:${contact_email}`}>ask the team</a>.
              </>
            }
          >
            <option value="free">free</option>
          </SelectField>
        </div>
        <div data-row="3">
          <Button type="submit" kind="primary" busy={creating}>
            {creating ? 'Creating...' : 'Create Key'}
          </Button>
          <Button kind="quiet" disabled={creating} onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Panel>
  );
}
