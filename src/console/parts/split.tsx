import { useEffect, useState, type ComponentType } from "react"
import { Waiting } from "./waiting"

/**
 * A component in a file of its own, which loads when the component is first shown. React's `lazy` would show the loader
 * for at least 300 ms, even if the file is in the browser's cache.
 */
export function split<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  height: number | string = "60vh",
): ComponentType<Props> {
  let Part: ComponentType<Props> | undefined
  return function Split(props: Props) {
    const [state, setState] = useState<{ error?: unknown }>({})
    useEffect(() => {
      if (Part) return
      load().then(
        (file) => {
          Part = file.default
          setState({})
        },
        (error: unknown) => setState({ error }),
      )
    }, [])
    if (state.error) throw state.error
    return Part ? <Part {...props} /> : <Waiting height={height} />
  }
}
