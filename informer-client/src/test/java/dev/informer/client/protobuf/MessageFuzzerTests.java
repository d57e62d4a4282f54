/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.io.IOException;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests the readers of lists and watches in protobuf with the inputs that
 * {@code .ci/fuzz} has found: each of them takes another way through the code. Parts are
 * cached when they are seen again, and found after that.
 */
@Timeout(120)
class MessageFuzzerTests {

	@RepeatedTest(3)
	void inputsOfTheCorpus_endOrFailByAnIoException_withTheSameObjectsIfTheyAreShared() throws IOException {
		int inputs = 0;
		try (ZipInputStream corpus = new ZipInputStream(
				Objects.requireNonNull(getClass().getResourceAsStream("corpus.zip")))) {
			for (ZipEntry entry = corpus.getNextEntry(); entry != null; entry = corpus.getNextEntry()) {
				byte[] input = corpus.readAllBytes();
				assertThatNoException().as(entry.getName()).isThrownBy(() -> MessageFuzzer.fuzzerTestOneInput(input));
				inputs++;
			}
		}
		assertThat(inputs).isGreaterThan(100);
	}

}
