/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

import ch.qos.logback.classic.Level;
import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.client.TimeSource;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.CapturedLog;
import dev.informer.writer.FieldContest.Round;
import dev.informer.writer.ObjectWrite.Outcome;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ManagedFieldsEntry;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.ClientBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for two managers that force one field.
 */
@Timeout(60)
class FieldContestTests {

	private static final OffsetDateTime TIME = OffsetDateTime.parse("2026-01-01T00:00:00Z");

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	private final FieldContest contest = new FieldContest();

	private long now = Long.MAX_VALUE - TimeSource.nanos(Duration.ofSeconds(3));

	@Test
	void appliesThatChangeTheObject_areReportedOncePerManager() {
		assertThat(applied(0, 0, "b")).isNull();
		List<Round> rounds = new ArrayList<>();
		for (int second = 1; second <= 20; second++) {
			rounds.add(applied(1, second, (second <= 10) ? "b" : "c"));
		}
		assertThat(rounds).extracting(Round::number).startsWith(1, 2, 3, 4, 5).endsWith(20);
		assertThat(rounds).filteredOn(Round::news).containsExactly(new Round(5, "b", true), new Round(11, "c", true));
	}

	@Test
	void changesWithinASecond_areOne() {
		applied(0, 0, "b");
		applied(1, 1, "b");
		for (int i = 0; i < 100; i++) {
			assertThat(applied(0, 1, "b")).isNull();
		}
		assertThat(applied(1, 2, "b")).isEqualTo(new Round(2, "b", false));
	}

	@Test
	void applyThatChangesNothing_orLongTimes_endAContest() {
		applied(0, 0, "b");
		for (int second = 1; second <= 4; second++) {
			applied(1, second, "b");
		}
		assertThat(applied(3, 4, "b")).isNull();
		assertThat(applied(1, 8, "b")).isEqualTo(new Round(1, "b", false));
		assertThat(applied(1, 9, "b")).isEqualTo(new Round(2, "b", false));
		assertThat(applied(601, 610, "b")).isEqualTo(new Round(1, "b", false));
	}

	@Test
	void answerWithoutTimes_isNoContest() {
		for (int i = 0; i < 10; i++) {
			this.now += TimeSource.nanos(Duration.ofSeconds(1));
			assertThat(this.contest.applied(new FieldManagers(null, "b"), this.now)).isNull();
		}
	}

	@Test
	void creation_isNoChange() {
		V1ObjectMeta metadata = new V1ObjectMeta().creationTimestamp(TIME)
			.addManagedFieldsItem(new V1ManagedFieldsEntry().manager("ours").operation("Apply").time(TIME));
		assertThat(FieldManagers.of("ours", null, new V1ConfigMap().metadata(metadata)).ownTime()).isNull();
		metadata.setCreationTimestamp(TIME.minusSeconds(1));
		assertThat(FieldManagers.of("ours", null, new V1ConfigMap().metadata(metadata)).ownTime()).isEqualTo(TIME);
	}

	private @Nullable Round applied(int seconds, int ownTime, String other) {
		this.now += TimeSource.nanos(Duration.ofSeconds(seconds));
		return this.contest.applied(new FieldManagers(TIME.plusSeconds(ownTime), other), this.now);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void managersThatForceOneField_areReported(boolean managedFields) throws Exception {
		this.log.setLevel(Level.WARN);
		List<Outcome> outcomes = new ArrayList<>();
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();
				InformerFactory factory = InformerFactory
					.create(new ClientBuilder().setBasePath(kubernetes.url()).build())) {
			kubernetes.create(TestObjects.namespace("shop"));
			SharedIndexInformer<V1ConfigMap> informer = factory.informer(V1ConfigMap.class,
					(options) -> options.managedFields(managedFields));
			ObjectWriter ours = ObjectWriter.of(factory, "ours", (write) -> outcomes.add(write.proceed()));
			ObjectWriter theirs = ObjectWriter.of(factory, "theirs");
			informer.start();
			assertThat(informer.awaitSynced(Duration.ofSeconds(30))).isTrue();
			await().pollInterval(Duration.ofMillis(300)).until(() -> {
				ours.apply(configMap("1"));
				V1ConfigMap changed = theirs.apply(configMap("2"));
				return informer.awaitAtLeast(changed, Duration.ofSeconds(5)) && outcomes.size() > 30
						|| this.log.text().contains("Field manager 'ours'");
			});
			assertThat(outcomes).startsWith(Outcome.SUCCESS, Outcome.SUCCESS).contains(Outcome.CONTESTED);
			assertThat(this.log.text()).containsOnlyOnce("Field manager 'ours' has changed configmaps 'shop/a' back "
					+ "5 times in a row, because " + (managedFields ? "manager 'theirs'" : "another manager")
					+ " changes the same fields; let only one of them set these fields");
			int size = outcomes.size();
			V1ConfigMap last = ours.apply(configMap("1"));
			assertThat(informer.awaitAtLeast(last, Duration.ofSeconds(5))).isTrue();
			ours.apply(configMap("1"));
			assertThat(outcomes.subList(size, outcomes.size())).endsWith(Outcome.UNCHANGED);
		}
	}

	private static V1ConfigMap configMap(String value) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().namespace("shop").name("a")).putDataItem("key", value);
	}

}
