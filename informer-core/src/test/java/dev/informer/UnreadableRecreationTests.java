/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.informer.controller.FakeInformers;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeEtcd.Shape;
import dev.informer.testing.FakeSource;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for objects that were recreated and cannot be decoded or transformed since.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class UnreadableRecreationTests {

	private final FakeSource source = new FakeSource();

	private final EventLog<V1Pod> log = new EventLog<>();

	private final AtomicBoolean transforming = new AtomicBoolean(true);

	private final SharedIndexInformer<V1Pod> informer = FakeInformers.pods(this.source,
			new InformerOptions.Builder(InformerOptions.DEFAULT).streamingList(false).build(),
			(settings) -> settings.time(FakeTime.autoAdvancingUpTo()));

	@BeforeEach
	void start() {
		this.informer.setTransform((pod) -> {
			if (!this.transforming.get() && String.valueOf(pod.getMetadata().getName()).equals("a")) {
				throw new IllegalStateException("for the test");
			}
			return pod;
		});
		this.informer.addHandler(this.log);
		this.source.put("a");
		this.source.put("b");
		this.informer.start();
		await().until(() -> this.log.events().size() == 2);
		this.log.clear();
	}

	@AfterEach
	void close() {
		this.informer.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void recreatedObjectOfAList_isDeleted_andAddedOnceItIsReadable(boolean decodable) throws Exception {
		this.informer.stop(Duration.ofSeconds(30));
		this.source.delete("a");
		this.transforming.set(!decodable);
		this.source.put("a", decodable ? Shape.FINE : Shape.BROKEN);
		this.informer.start();
		await().untilAsserted(() -> assertThat(this.log.story()).containsExactly("DELETED ns/a"));
		assertThat(this.log.problems()).isEmpty();
		assertThat(this.informer.lister().keys()).isEqualTo(List.of("ns/b"));
		this.transforming.set(true);
		this.source.put("a");
		await().untilAsserted(() -> assertThat(this.log.story()).containsExactly("DELETED ns/a", "ADDED ns/a"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void sameObjectOfAList_isKept(boolean decodable) throws Exception {
		this.informer.stop(Duration.ofSeconds(30));
		this.transforming.set(!decodable);
		this.source.put("a", decodable ? Shape.FINE : Shape.BROKEN);
		this.source.put("c");
		this.informer.start();
		await().untilAsserted(() -> assertThat(this.log.story()).containsExactly("ADDED ns/c"));
		assertThat(this.informer.lister().keys()).contains("ns/a");
	}

	@Test
	void recreatedObjectWithoutReadableName_isKept() throws Exception {
		this.informer.stop(Duration.ofSeconds(30));
		this.source.delete("a");
		this.source.put("a", Shape.NAMELESS);
		this.source.put("c");
		this.informer.start();
		await().untilAsserted(() -> assertThat(this.log.story()).containsExactly("ADDED ns/c"));
		assertThat(this.informer.lister().keys()).contains("ns/a");
	}

}
