/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.recorder;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.informer.writer.SmallJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the heap of an {@link EventRecorder}, by a program in a small JVM.
 */
@Timeout(120)
class EventRecorderHeapTests {

	/** Port on which no server listens. */
	private static final String NO_SERVER = "http://127.0.0.1:1";

	@Test
	void recordedEvents_areBounded_whenNoServerAnswers(@TempDir Path folder) throws Exception {
		List<String> lines = SmallJvm.run(folder, Duration.ofSeconds(90), EventProgram.class, NO_SERVER, "100000");
		assertThat(lines.stream().filter((line) -> line.startsWith("pending=")))
			.containsExactly("pending=5000 dropped=95000", "pending=105000 dropped=95000", "pending=0 dropped=200000");
	}

}
