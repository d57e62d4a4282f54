/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.informer.test.EmbeddedKubernetes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the heap of an {@link ObjectWriter}, by a program in a small JVM.
 * {@code -Dwriter.writes=1000000} is the long form, which writes more objects than the
 * writer remembers.
 */
class ObjectWriterHeapTests {

	private static final int WRITES = Integer.getInteger("writer.writes", 10_000);

	/** In bytes. */
	private static final int TOLERANCE = 1 << 20;

	@Test
	void heap_growsByBoundedCachesOnly(@TempDir Path folder) throws Exception {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			List<Measurement> measurements = SmallJvm
				.run(folder, Duration.ofSeconds(300 + WRITES / 200), WriteProgram.class, kubernetes.url(),
						Integer.toString(WRITES / WriteProgram.WRITES))
				.stream()
				.filter((line) -> line.startsWith("objects="))
				.map(Measurement::of)
				.toList();
			System.out.println(measurements);
			assertThat(measurements).hasSize(10);
			Measurement first = measurements.get(0);
			assertThat(measurements).allSatisfy((each) -> assertThat(each.bytes() - first.bytes()).as("%s", each)
				.isLessThan(each.cached() - first.cached() + TOLERANCE));
		}
	}

	/**
	 * Live heap after a number of objects.
	 */
	private record Measurement(int objects, long bytes) {

		static Measurement of(String line) {
			String[] parts = line.split("[= ]");
			return new Measurement(Integer.parseInt(parts[1]), Long.parseLong(parts[3]));
		}

		/**
		 * Return the maximum number of bytes of the digests of applied objects, and of
		 * the strings that decoded objects share.
		 */
		long cached() {
			return 300L * Math.min(this.objects, 100_000) + 200L * Math.min(this.objects, 20_000);
		}

	}

}
