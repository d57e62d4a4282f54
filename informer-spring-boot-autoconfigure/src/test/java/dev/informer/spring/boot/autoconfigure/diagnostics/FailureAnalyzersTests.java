/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

import dev.informer.HandlerErrorHandler;
import dev.informer.HandlerFailure;
import dev.informer.InformerFailedException;
import dev.informer.InformerFailure;
import dev.informer.Lister;
import dev.informer.client.CustomResource;
import dev.informer.client.connection.NoKubernetesClusterException;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static dev.informer.spring.boot.autoconfigure.diagnostics.FailureAnalyses.analyze;
import static dev.informer.spring.boot.autoconfigure.diagnostics.FailureAnalyses.analyzers;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the {@link FailureAnalyzer failure analyzers}, found as Spring Boot finds
 * them.
 */
class FailureAnalyzersTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class));

	@Test
	void invalidHandlerMethod_namesClassMethodAndSignatures() {
		FailureAnalysis analysis = analyze(this.contextRunner.withBean("bad", BadHandler.class));
		assertThat(analysis.getDescription()).contains("Method 'handle'", BadHandler.class.getName(),
				"its parameter java.lang.String");
		assertThat(analysis.getAction()).contains("void handle(ResourceEvent<V1Pod> event)",
				"void handle(V1Pod previous, V1Pod current)");
	}

	@Test
	void analyzers_precedeThoseOfSpringBoot() {
		List<String> names = analyzers(new DefaultListableBeanFactory())
			.map((analyzer) -> analyzer.getClass().getName())
			.toList();
		List<String> own = names.stream().filter((name) -> name.startsWith("dev.informer.")).toList();
		assertThat(own).hasSize(3);
		assertThat(names).startsWith(own.toArray(String[]::new));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					test.filter=missing  | its filter 'missing' is not the name of a Predicate bean | Predicate<V1Pod>
					test.errors=missing  | its errorHandler 'missing' is not the name of a HandlerErrorHandler bean | HandlerErrorHandler<V1Pod>
					test.filter=nodes    | its filter 'nodes' is a Predicate of io.kubernetes.client.openapi.models.V1Node | Predicate<V1Pod>
					test.filter=#{@nodes} | its filter '${test.filter:}' is a Predicate of io.kubernetes.client.openapi.models.V1Node | Predicate<V1Pod>
					test.errors=nodeErrors | its errorHandler 'nodeErrors' is a HandlerErrorHandler of io.kubernetes.client.openapi.models.V1Node | HandlerErrorHandler<V1Pod>
					""")
	void wrongBeanOfAttribute_namesClassMethodAndAttribute(String property, String reason, String expected) {
		FailureAnalysis analysis = analyze(this.contextRunner.withBean("nodes", NodeFilter.class)
			.withBean("nodeErrors", NodeErrors.class)
			.withBean("filtered", Filtered.class)
			.withPropertyValues(property));
		assertThat(analysis.getDescription()).contains("Method 'handle'", Filtered.class.getName(), reason);
		assertThat(analysis.getAction()).contains("Name a bean of type " + expected + " in the attribute");
	}

	@Test
	void beanForSupertype_isAccepted() {
		this.contextRunner.withBean("any", AnyFilter.class)
			.withBean("filtered", Filtered.class)
			.withPropertyValues("test.filter=any", "informer.auto-startup=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void classThatCannotBeDecoded_namesClassAndReason() {
		FailureAnalysis analysis = analyze(this.contextRunner.withBean("handler", UndecodableHandler.class));
		assertThat(analysis.getDescription()).startsWith("Cannot decode " + NoConstructor.class.getName())
			.doesNotContain("informer.resources");
		assertThat(analysis.getAction()).contains(NoConstructor.class.getName(), "DynamicKubernetesObject");
	}

	@Test
	void listerWithoutAutoConfiguration_explainsTestSlices() {
		FailureAnalysis analysis = analyze(new ApplicationContextRunner().withBean("consumer", PodConsumer.class));
		assertThat(analysis.getDescription()).contains(PodConsumer.class.getName(),
				"the auto-configuration of informers is not part of this application context");
		assertThat(analysis.getAction()).contains("@WebMvcTest", "@MockitoBean Lister<V1Pod>", "Listers.of(...)",
				"@AutoConfigureEmbeddedKubernetes",
				"@ImportAutoConfiguration({KubernetesConnectionAutoConfiguration.class, "
						+ "InformerAutoConfiguration.class})");
	}

	@Test
	void unknownResource_namesKeyAndNearest() {
		FailureAnalysis analysis = analyze(
				this.contextRunner.withPropertyValues("informer.resources.deploymets.required=true"));
		assertThat(analysis.getDescription()).contains("'informer.resources.deploymets'");
		assertThat(analysis.getAction()).contains("Did you mean 'deployments'?", "informer.resources.deploymets.type");
	}

	@Test
	void injectionPointWithoutResource_namesLocation() {
		FailureAnalysis analysis = analyze(this.contextRunner.withBean("bad", BadConsumer.class));
		assertThat(analysis.getDescription()).contains(BadConsumer.class.getName());
		assertThat(analysis.getAction()).contains("@CustomResource(group, version, plural)");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					informer.resources.pods.label-selektor=a | Unknown property 'label-selektor' of 'informer.resources.pods', did you mean 'label-selector'?
					informer.startup.wait=1s                 | Unknown property 'wait' of 'informer.startup'. Known properties: [await-handlers, deliver-after-sync, on-timeout, timeout]
					informer.resource.pods.required=true     | Unknown property 'resource' of 'informer', did you mean 'resources'?
					informer.defaults.backoff.max=1s         | Known properties: [delay, jitter, max-delay, multiplier, reset-after]
					informer.handlers.audit.retry.max-retires=1 | Unknown property 'max-retires' of 'informer.handlers.audit.retry', did you mean 'max-retries'?
					informer.handlers.audit.log.queue=all    | Unknown property 'log' of 'informer.handlers.audit'. Known properties: [auto-startup, changes, concurrency, leader, leader-only, queue, resync-period, retry, sharded]
					""")
	void unknownKey_namesKnownKeys(String property, String remedy) {
		FailureAnalysis analysis = analyze(this.contextRunner.withPropertyValues(property));
		assertThat(analysis.getDescription()).contains("- " + property.substring(0, property.indexOf('=')));
		assertThat(analysis.getAction()).contains(remedy);
	}

	@Test
	void noCluster_listsCheckedLocations() {
		FailureAnalysis analysis = analyze(
				new NoKubernetesClusterException(List.of("here: nothing", "there: nothing")));
		assertThat(analysis.getDescription()).contains("    - here: nothing", "    - there: nothing");
		assertThat(analysis.getAction()).contains("informer.connection.url", "informer.auto-startup=false");
	}

	@Test
	void unusableKubeconfig_namesFileLineAndKey(@TempDir Path folder) throws IOException {
		Path kubeconfig = Files.writeString(folder.resolve("config"), """
				current-context: dev
				contexts: [{name: dev, context: {cluster: one, user: absent}}]
				clusters: [{name: one, cluster: {server: "http://127.0.0.1:1"}}]
				users: [{name: me, user: {token: secret}}]
				""");
		FailureAnalysis analysis = analyze(this.contextRunner.withBean("client", PodConsumer.class)
			.withPropertyValues("informer.connection.kubeconfig=" + kubeconfig));
		assertThat(analysis.getDescription()).isEqualTo("Cannot use kubeconfig " + kubeconfig
				+ ", line 2: 'contexts[dev].context.user' names the unknown user 'absent'");
		assertThat(analysis.getAction()).isEqualTo("Use one of [me], or add the user.");
	}

	@Test
	void invalidSelector_namesProperty() {
		FailureAnalysis analysis = analyze(new InformerFailedException("pods", new InformerFailure(
				InformerFailure.Kind.INVALID, "400: unable to parse", Instant.EPOCH, new IllegalStateException())));
		assertThat(analysis.getDescription()).contains("'pods'", "400: unable to parse");
		assertThat(analysis.getAction()).contains("informer.resources.pods.label-selector",
				"informer.resources.pods.namespace-selector");
	}

	static class NodeFilter implements Predicate<V1Node> {

		@Override
		public boolean test(V1Node node) {
			return true;
		}

	}

	static class AnyFilter implements Predicate<KubernetesObject> {

		@Override
		public boolean test(KubernetesObject object) {
			return true;
		}

	}

	static class NodeErrors implements HandlerErrorHandler<V1Node> {

		@Override
		public void failed(HandlerFailure<? extends V1Node> failure) {
		}

	}

	static class Filtered {

		@InformerHandler(filter = "${test.filter:}", errorHandler = "${test.errors:}")
		void handle(V1Pod pod) {
		}

	}

	@CustomResource(group = "example.com", version = "v1", plural = "widgets", kind = "NoConstructor")
	static class NoConstructor implements KubernetesObject {

		private final V1ObjectMeta metadata;

		NoConstructor(V1ObjectMeta metadata) {
			this.metadata = metadata;
		}

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

		@Override
		public String getApiVersion() {
			return "example.com/v1";
		}

		@Override
		public String getKind() {
			return "NoConstructor";
		}

	}

	static class UndecodableHandler {

		@InformerHandler
		void handle(NoConstructor object) {
		}

	}

	static class BadHandler {

		@InformerHandler
		void handle(String pod) {
		}

	}

	static class PodConsumer {

		PodConsumer(Lister<V1Pod> pods) {
		}

	}

	static class BadConsumer {

		BadConsumer(Lister<NoResource> lister) {
		}

	}

	abstract static class NoResource implements KubernetesObject {

	}

}
