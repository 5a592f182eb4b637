import { Icon } from '#site/ui/Icon.tsx';
import type { IconName } from '#site/ui/icons.ts';

export type ToastKind = 'blank' | 'success' | 'error' | 'info' | 'warning' | 'loading';

export type ToastContent = {
  kind: ToastKind;
  message: string;
  title?: string | undefined;
  /** What the message is about, in a second line. */
  detail?: string | undefined;
  icon?: IconName | undefined;
  undo?: (() => unknown) | undefined;
};

const signs: Partial<Record<ToastKind, IconName>> = {
  success: 'circle-check-big',
  error: 'circle-alert',
  info: 'info',
  warning: 'triangle-alert',
};

/** One toast: its sign, a title or a detail beside the message, Undo where it can be undone, and a way to close it. */
export function ToastCard(props: ToastContent & { dismiss: () => void }) {
  const { kind, undo, dismiss } = props;
  const [first, second] = props.title ? [props.title, props.message] : [props.message, props.detail];
  const sign = props.icon ?? signs[kind];
  return (
    <div className={`toast toast--${kind}`}>
      {kind === 'loading' ? <span className="ring" /> : sign && <Icon name={sign} />}
      <div className="toast__text" role="status">
        {second ? <strong>{first}</strong> : first}
        {second && <span>{second}</span>}
      </div>
      {undo && (
        <button className="toast__undo" type="button" onClick={() => void undo()}>
          Undo
        </button>
      )}
      {kind !== 'loading' && (
        <button className="toast__close" type="button" aria-label="Dismiss" onClick={dismiss}>
          <Icon name="x" />
        </button>
      )}
    </div>
  );
}
