/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.List;
import java.util.stream.IntStream;

import dev.informer.InformerFactory;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.ReceivedRequest;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for namespaces of properties that do not exist.
 */
@ExtendWith(OutputCaptureExtension.class)
class MissingNamespaceTests {

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withPropertyValues("informer.connection.url=" + this.kubernetes.url(), "informer.startup.timeout=20s");

	@Test
	void namespaceThatDoesNotExist_isNamedOnce_withItsInformersAndProperties(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("informer.resources.pods.namespaces=shpo,default",
					"informer.resources.configmaps.namespaces=shpo", "informer.resources.configmaps.required=false")
			.run((context) -> {
				awaitEndOfCheck();
				assertThat(output).containsOnlyOnce("does not exist")
					.contains("Namespace 'shpo' does not exist, so informers [")
					.contains("informer.resources.pods.namespaces")
					.contains("informer.resources.configmaps.namespaces")
					.contains(", or create the namespace");
				assertThat(lookups()).containsExactlyInAnyOrder("/api/v1/namespaces/default",
						"/api/v1/namespaces/shpo");
			});
	}

	@Test
	void namespaceWithObjects_isNotLookedFor() {
		this.kubernetes.create(TestObjects.pod("default", "one"));
		this.contextRunner.withPropertyValues("informer.resources.pods.namespaces=default").run((context) -> {
			awaitEndOfCheck();
			assertThat(context.getBean(InformerRegistry.class).isRunning()).isTrue();
			assertThat(lookups()).isEmpty();
		});
	}

	@Test
	void allNamespacesAndNamespaceSelector_areNotLookedFor() {
		this.contextRunner
			.withPropertyValues("informer.resources.pods.required=true",
					"informer.resources.configmaps.namespace-selector=team=a")
			.run((context) -> {
				awaitEndOfCheck();
				assertThat(context.getBean(InformerRegistry.class).isRunning()).isTrue();
				assertThat(lookups()).isEmpty();
			});
	}

	@Test
	void lookupThatFails_isSilent(CapturedOutput output) {
		for (Fault fault : List.of(Fault.status(403), Fault.status(500), Fault.cutConnection())) {
			this.kubernetes.faults().clear();
			this.kubernetes.faults().always(Verb.GET, "namespaces", fault);
			this.contextRunner.withPropertyValues("informer.resources.pods.namespaces=shpo").run((context) -> {
				awaitEndOfCheck();
				assertThat(context).hasNotFailed();
			});
		}
		assertThat(lookups()).hasSizeGreaterThanOrEqualTo(3);
		assertThat(output).doesNotContain("does not exist");
	}

	@Test
	void lookupThatHangs_delaysNeitherStartNorStop() {
		this.kubernetes.faults().always(Verb.GET, "namespaces", Fault.hang());
		this.contextRunner.withPropertyValues("informer.resources.pods.namespaces=shpo").run((context) -> {
			assertThat(context.getBean(InformerRegistry.class).isRunning()).isTrue();
			await().untilAsserted(() -> assertThat(lookups()).hasSize(1));
			assertThat(hasStartupThread()).isTrue();
		});
		awaitEndOfCheck();
	}

	@Test
	void manyNamespaces_areLookedForUpToANumber() {
		this.contextRunner
			.withPropertyValues("informer.resources.pods.namespaces="
					+ String.join(",", IntStream.range(0, 30).mapToObj((i) -> "shop" + i).toList()))
			.run((context) -> {
				awaitEndOfCheck();
				assertThat(context.getBean(InformerFactory.class).isNamespaceMissing("shop1")).isTrue();
				assertThat(lookups()).hasSize(21);
			});
	}

	private List<String> lookups() {
		return this.kubernetes.requests(Verb.GET, "namespaces").stream().map(ReceivedRequest::path).toList();
	}

	private static void awaitEndOfCheck() {
		await().untilAsserted(() -> assertThat(hasStartupThread()).isFalse());
	}

	private static boolean hasStartupThread() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.anyMatch((thread) -> thread.getName().equals("informer-startup"));
	}

}
