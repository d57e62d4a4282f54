/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.model;

import java.time.Duration;
import java.util.List;
import java.util.Random;

import dev.informer.BackoffPolicy;
import dev.informer.InformerOptions;

/**
 * Settings of a {@link ModelRun}.
 *
 * @param namespaces the namespaces of the informer; empty for all
 * @param selected whether these namespaces join and leave while it runs
 * @param streaming whether it requests streaming lists
 * @param paging whether the server always respects limits
 * @param lag the number of versions that the server's cache is behind at first
 * @param transform whether a transform is set, which throws for some objects
 * @param undecodable whether some objects cannot be decoded
 * @param backups whether the server is restored from a backup now and then
 * @param shareValues whether pods share parts
 */
record ModelSettings(List<String> namespaces, boolean selected, boolean streaming, boolean paging, int lag,
		boolean transform, boolean undecodable, boolean backups, boolean shareValues) {

	static ModelSettings random(Random random, boolean shareValues) {
		boolean several = random.nextInt(3) == 0;
		return new ModelSettings(several ? List.of("ns", "other") : List.of(), several && random.nextBoolean(),
				random.nextBoolean(), random.nextBoolean(), random.nextInt(4), random.nextInt(3) == 0,
				random.nextBoolean(), !several && random.nextInt(3) == 0, shareValues);
	}

	InformerOptions options() {
		return new InformerOptions.Builder(InformerOptions.DEFAULT).pageSize(2)
			.namespaces(this.selected ? new String[0] : this.namespaces.toArray(String[]::new))
			.namespaceSelector(this.selected ? "model" : null)
			.backoff(new BackoffPolicy(Duration.ofMillis(800), 2, Duration.ofSeconds(30), Duration.ZERO,
					Duration.ofMinutes(2)))
			.streamingList(this.streaming)
			.shareValues(this.shareValues)
			.allowUnsyncedReads(true)
			.build();
	}

}
