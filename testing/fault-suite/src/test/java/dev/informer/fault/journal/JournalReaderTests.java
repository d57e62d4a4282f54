/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import dev.informer.fault.journal.Entry.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class JournalReaderTests {

	private static final Entry FIRST = new Entry("handler", Type.ADDED, "fault/one", new ObjectState("one", "1"), null);

	private static final Entry SECOND = new Entry("handler", Type.UPDATED, "fault/one", new ObjectState("one", "2"),
			new ObjectState("one", "1"));

	@TempDir
	private Path folder;

	@Test
	void lineThatIsBeingWritten_isReadWhenItIsComplete() throws IOException {
		Path file = this.folder.resolve("journal.txt");
		String line = SECOND.toLine();
		Files.writeString(file, FIRST.toLine() + "\n" + line.substring(0, 12));
		try (JournalReader<Entry> reader = new JournalReader<>(file, Entry::parse)) {
			assertThat(reader.read()).containsExactly(FIRST);
			Files.writeString(file, line.substring(12) + "\n", StandardOpenOption.APPEND);
			assertThat(reader.read()).containsExactly(SECOND);
			assertThat(reader.read()).isEmpty();
		}
	}

}
