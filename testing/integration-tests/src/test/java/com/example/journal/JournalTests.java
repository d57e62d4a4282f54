/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.journal;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Updated;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class JournalTests {

	private final Journal<V1ConfigMap> journal = new Journal<>();

	private final V1ConfigMap first = configMap("uid-1", 9);

	private final V1ConfigMap second = configMap("uid-1", 10);

	@Test
	void consistentEvents_areNoViolation() {
		V1ConfigMap other = configMap("uid-2", 12);
		record(new Added<>(this.first, true), new Updated<>(this.first, this.second),
				new Deleted<>(configMap("uid-1", 11), this.second, false), new Added<>(other, false));
		assertThat(this.journal.violations()).isEmpty();
		assertThat(this.journal.addedCount()).isEqualTo(2);
	}

	@Test
	void objectAddedTwice_isAViolation() {
		record(new Added<>(this.first, true), new Deleted<>(this.first, this.first, true),
				new Added<>(this.second, false));
		assertViolation("added twice");
	}

	@Test
	void objectAddedOverAnother_isAViolation() {
		record(new Added<>(this.first, true), new Added<>(configMap("uid-2", 12), false));
		assertViolation("added over another one");
	}

	@Test
	void sameVersionAgain_isAViolation() {
		record(new Added<>(this.first, true), new Updated<>(this.first, configMap("uid-1", 9)));
		assertViolation("not newer than the last delivered state");
	}

	@Test
	void previousOtherThanLastDelivered_isAViolation() {
		record(new Added<>(this.first, true), new Updated<>(configMap("uid-1", 9), this.second));
		assertViolation("previous is not the last delivered state");
	}

	@Test
	void updateAcrossUids_isAViolation() {
		record(new Added<>(this.first, true), new Updated<>(this.first, configMap("uid-2", 12)));
		assertViolation("updated across UIDs");
	}

	@Test
	void objectDeletedTwice_isAViolation() {
		record(new Added<>(this.first, true), new Deleted<>(this.first, this.first, false),
				new Deleted<>(this.first, this.first, false));
		assertThat(this.journal.violations()).anyMatch((violation) -> violation.startsWith("deleted twice"));
	}

	@SafeVarargs
	private final void record(ResourceEvent<V1ConfigMap>... events) {
		for (ResourceEvent<V1ConfigMap> event : events) {
			this.journal.record(event);
		}
	}

	private void assertViolation(String violation) {
		assertThat(this.journal.violations()).singleElement().asString().startsWith(violation + ": ");
	}

	private static V1ConfigMap configMap(String uid, long version) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().namespace("shop")
			.name("settings")
			.uid(uid)
			.resourceVersion(String.valueOf(version)));
	}

}
