import '#site/ui/choice-rows.css';
import { useId, useState } from 'react';
import { type AnswerOf, request } from '#site/lib/http/api.ts';
import { query, useQuery } from '#site/lib/http/query.ts';
import { PartsLoading } from '#site/ui/PanelStates.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { FormAlert, formFailure, SettingPart } from './SettingPart.tsx';

type Retention = AnswerOf<'GET', '/settings/retention'>['retention'];

const retentionQuery = query(
  'retention',
  async (signal) => (await request('GET', '/settings/retention', { signal })).retention,
);

/** How long the details of customers are stored once their jobs are done. */
export function RetentionPart() {
  const { data, status, error } = useQuery(retentionQuery);
  if (!data) return <PartsLoading {...{ status, error }} onAgain={retentionQuery.refresh} />;
  return (
    <SettingPart
      title="Customers’ details"
      value={`Stored for ${data.years} years after the last change of a job`}
      change="Change years"
    >
      {(close) => <RetentionForm retention={data} onDone={close} />}
    </SettingPart>
  );
}

type FormProps = Readonly<{ retention: Retention; onDone(): void }>;

function RetentionForm({ retention: { years: present, least, most }, onDone }: FormProps) {
  const id = useId();
  const [years, setYears] = useState(present);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  async function save(): Promise<void> {
    // The button stays enabled, so that it has the focus still after a refusal.
    if (isSending) return;
    setSending(true);
    setFailure(null);
    try {
      const { retention } = await request('PUT', '/settings/retention', { body: { years } });
      retentionQuery.update(() => retention);
      toast.success(`Customers’ details are stored for ${retention.years} years`);
      onDone();
    } catch (error) {
      setFailure(formFailure(error).message);
      setSending(false);
    }
  }
  const choices = Array.from({ length: most - least + 1 }, (_, n) => least + n);
  return (
    <form
      className="settings__form"
      aria-label="Change years"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <p className="muted">
        This counts for jobs that you accepted. Details of jobs that you never accepted are stored for 12
        months. After that the product may remove them: you see it in the job seven days before, and can keep
        them. Status and dates stay.
      </p>
      <fieldset className="removal__others">
        <legend className="field__label">Years after the last change of a job</legend>
        <div className="rows">
          {choices.map((choice) => (
            <label className="row" key={choice}>
              <span className="row__text">{`${choice} years`}</span>
              <input
                type="radio"
                name={`${id}-years`}
                checked={years === choice}
                onChange={() => setYears(choice)}
              />
            </label>
          ))}
        </div>
      </fieldset>
      <FormAlert message={failure} />
      <button className="btn btn--primary" type="submit" disabled={years === present} aria-busy={isSending}>
        Save
      </button>
    </form>
  );
}
