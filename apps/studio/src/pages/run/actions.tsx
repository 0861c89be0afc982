import type { RunActions as Actions, RunDetail, RunFile } from "@reins/studio/wire";
import { useEffect, useState } from "preact/hooks";
import { get, ofRun } from "../../api.ts";
import { bytes } from "../../format.ts";
import { Popover } from "../../parts/popover.tsx";
import { ResumeForm, TrainForm } from "./start-forms.tsx";

/** Actions on a run: resume, train again, download files. */
export function RunActions({ run }: { run: RunDetail }) {
  const [actions, setActions] = useState<Actions>();
  useEffect(() => {
    get<Actions>(ofRun(run.name, "actions")).then(setActions, () => {});
  }, [run.name, run.state, run.checkpoints.length]);
  if (!actions) return null;
  const { files, starts } = actions;
  const canResume = run.state !== "running" && run.checkpoints.length > 0;
  return (
    <div class="toolbar actions">
      {starts && canResume && (
        <Popover id="resume" label="Resume" title={`Resume ${run.name}`}>
          <ResumeForm run={run} />
        </Popover>
      )}
      {starts && run.reproduce !== undefined && (
        <Popover id="train-again" label="Train again" title={`Train again as ${run.name}`}>
          <TrainForm run={run} />
        </Popover>
      )}
      {files.length > 0 && (
        <Popover id="downloads" label="Download" title={`Download files of ${run.name}`}>
          <Files run={run.name} files={files} />
        </Popover>
      )}
    </div>
  );
}

const Files = ({ run, files }: { run: string; files: readonly RunFile[] }) => (
  <table class="compact">
    <tbody>
      {files.map(({ name, about, bytes: size }) => (
        <tr key={name}>
          <th scope="row">
            <a href={`/api/${ofRun(run, "files", encodeURIComponent(name))}`} download>
              {name}
            </a>
          </th>
          <td>{about}</td>
          <td class="number soft">{size === null ? "" : bytes(size)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
