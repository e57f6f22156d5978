// Pairs this browser with the person.
export function PairPage() {
  return <p>Run coterie pair on the hub’s machine.</p>;
}
