import { Panel } from "./panel";

interface Props<T> { items: T[] }

export default function List<T>({ items }: Props<T>) {
  return <Panel<T> size={items.length}>{items.map((i) => <Row key={i} />)}</Panel>;
}

export const Row: React.FC<RowProps> = ({ value }) => <td>{format(value)}</td>;
