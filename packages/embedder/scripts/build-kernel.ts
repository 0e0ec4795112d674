// Writes the bytes of the kernel from assembly/. Run it after any change there: a test compares.
import { writeKernels } from '@kp/testing/kernels';
import { KERNELS } from './kernels.ts';

await writeKernels(KERNELS);
