// A component that is drawn again only when a prop or a signal that it reads has changed. A list of hundreds needs it.
import { Component, h, type ComponentChild, type ComponentType } from 'preact';
import { signal, type Signal } from '@preact/signals';

/** `ignored` is a prop that changes with another one. */
export function memo<Props extends object>(
  ignored: keyof Props,
  render: (props: Props) => ComponentChild,
): ComponentType<Props> {
  const Inner = ({ shown }: { shown: Signal<Props> }) => render(shown.value);
  return class extends Component<Props> {
    // The inner component reads it: a change draws that one, and a signal that it reads does too.
    readonly #shown = signal(this.props);

    override shouldComponentUpdate(next: Props): boolean {
      if (isChanged(this.#shown.value, next, ignored)) this.#shown.value = next;
      return false;
    }

    override render(): ComponentChild {
      return h(Inner, { shown: this.#shown });
    }
  };
}

function isChanged<Props extends object>(before: Props, next: Props, ignored: keyof Props): boolean {
  return Object.keys(next).some((name) => name !== ignored && Reflect.get(before, name) !== Reflect.get(next, name));
}
