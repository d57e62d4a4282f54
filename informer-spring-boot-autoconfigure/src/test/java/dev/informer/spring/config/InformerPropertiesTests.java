/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.Objects;

import dev.informer.BackoffPolicy;
import dev.informer.Encoding;
import dev.informer.InformerFactory;
import dev.informer.InformerOptions;
import dev.informer.RetryPolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.config.InformerProperties.Backoff;
import dev.informer.spring.config.InformerProperties.Retry;
import dev.informer.spring.support.TestInformerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.converter.Converter;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InformerProperties} and what becomes of them.
 */
class InformerPropertiesTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withBean(InformerFactory.class, TestInformerFactory::new);

	@Test
	void defaults_areCoreDefaults() {
		this.contextRunner
			.run((context) -> assertThat(InformerSettings.defaultOptions(context.getBean(InformerProperties.class)))
				.isEqualTo(InformerOptions.DEFAULT));
	}

	@Test
	void informerOptions_overrideDefaults() {
		this.contextRunner
			.withPropertyValues("informer.defaults.page-size=100", "informer.defaults.watch-timeout=2m",
					"informer.defaults.backoff.delay=100ms", "informer.defaults.watch-idle-timeout=4m",
					"informer.resources.pods.streaming-list=true", "informer.resources.pods.watch=false",
					"informer.defaults.poll-interval=1m", "informer.resources.pods.namespaces=shop,web",
					"informer.resources.pods.label-selector=tier=web",
					"informer.resources.pods.field-selector=spec.nodeName=one", "informer.resources.pods.page-size=7",
					"informer.resources.pods.backoff.max-delay=5s", "informer.resources.pods.encoding=json",
					"informer.resources.nodes.required=false", "informer.defaults.max-size=200MB",
					"informer.resources.nodes.max-size=0")
			.run((context) -> {
				SharedIndexInformer<?> pods = context.getBean("podsInformer", SharedIndexInformer.class);
				InformerOptions options = pods.options();
				assertThat(options.namespaces()).containsExactly("shop", "web");
				assertThat(options.labelSelector()).isEqualTo("tier=web");
				assertThat(options.fieldSelector()).isEqualTo("spec.nodeName=one");
				assertThat(options.maxSize()).isEqualTo(200 << 20);
				assertThat(options.pageSize()).isEqualTo(7);
				assertThat(options.watchTimeout()).hasMinutes(2);
				assertThat(options.watchIdleTimeout()).hasMinutes(4);
				assertThat(options.streamingList()).isTrue();
				assertThat(options.watch()).isFalse();
				assertThat(options.pollInterval()).hasMinutes(1);
				assertThat(options.encoding()).isEqualTo(Encoding.JSON);
				assertThat(options.backoff()).isEqualTo(new BackoffPolicy(Duration.ofMillis(100), 2,
						Duration.ofSeconds(5), Duration.ofMillis(100), Duration.ofMinutes(2)));
				InformerRegistry registry = context.getBean(InformerRegistry.class);
				assertThat(registry.isRequired(pods)).isTrue();
				SharedIndexInformer<?> nodes = context.getBean("nodesInformer", SharedIndexInformer.class);
				assertThat(registry.isRequired(nodes)).isFalse();
				assertThat(nodes.options().maxSize()).isZero();
			});
	}

	@Test
	void currentNamespace_isNamespaceOfConnection() {
		this.contextRunner
			.withPropertyValues("informer.resources.pods.namespaces=@current", "informer.connection.namespace=mine")
			.run((context) -> assertThat(
					context.getBean("podsInformer", SharedIndexInformer.class).options().namespaces())
				.containsExactly("mine"));
	}

	@Test
	void drainTimeout_isShorterThanPhaseTimeout() {
		this.contextRunner.withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=15s")
			.run((context) -> assertThat(context.getBean(InformerSettings.class).drainTimeout()).hasSeconds(10));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					informer.resources.podz.namespaces=a        | informer.resources.podz           | Did you mean 'pods'?
					informer.resources.my-pods.resource=pods    | informer.resources.my-pods        | Choose another name
					informer.resources.mine.resource=deploys    | informer.resources.mine.resource  | informer.resources.mine.type
					informer.resources.mine.type=java.lang.Long | informer.resources.mine.type      | @CustomResource
					informer.resources.pods.page-size=0 | informer.resources.pods.page-size | Correct the property informer.resources.pods.page-size
					informer.resources.pods.backoff.max-delay=1ms | informer.resources.pods.backoff.max-delay | Correct the property informer.resources.pods.backoff.max-delay
					informer.resources.pods.handler.resync-period=1ms | informer.resources.pods.handler.resync-period | Use 0
					informer.resources.pods.max-size=-1MB | informer.resources.pods.max-size | Correct the property informer.resources.pods.max-size
					informer.defaults.page-size=0 | informer.defaults.page-size | Correct the property informer.defaults.page-size
					informer.defaults.resync-period=20ms        | informer.defaults.resync-period   | Use 0
					informer.handlers.audit.queue=keep-all      | informer.handlers.audit           | @InformerHandler(id
					informer.handlers.my-audit.queue=keep-all   | informer.handlers.my-audit        | lowercase letters and digits
					informer.handlers.audit.concurrency=0 | informer.handlers.audit.concurrency | Correct the property informer.handlers.audit.concurrency
					informer.handlers.audit.resync-period=-10s  | informer.handlers.audit.resync-period | Use 0
					informer.handlers.audit.retry.delay=-1s | informer.handlers.audit.retry.delay | Correct the property informer.handlers.audit.retry.delay
					informer.handlers.audit.retry.max-retries=-2 | informer.handlers.audit.retry.max-retries | Correct the property informer.handlers.audit.retry.max-retries
					informer.resources.Pods.required=true       | informer.resources.Pods           | Choose another name
					informer.resources.pods.namespaces=Shop     | informer.resources.pods.namespaces | leave the property out
					informer.resources.pods.namespaces=@curent  | informer.resources.pods.namespaces | @current
					informer.resources.pods.watch-timeout=-5m | informer.resources.pods.watch-timeout | Correct the property informer.resources.pods.watch-timeout
					informer.resources.pods.watch-idle-timeout=0 | informer.resources.pods.watch-idle-timeout | Correct the property informer.resources.pods.watch-idle-timeout
					informer.defaults.watch-timeout=100ms | informer.defaults.watch-timeout | Correct the property informer.defaults.watch-timeout
					informer.defaults.watch-idle-timeout=-1s | informer.defaults.watch-idle-timeout | Correct the property informer.defaults.watch-idle-timeout
					informer.defaults.backoff.delay=-1s | informer.defaults.backoff.delay | Correct the property informer.defaults.backoff.delay
					informer.defaults.backoff.multiplier=0.5 | informer.defaults.backoff.multiplier | Correct the property informer.defaults.backoff.multiplier
					informer.startup.timeout=-1s                | informer.startup.timeout          | such as 30s
					informer.health.failing-threshold=-1s       | informer.health.failing-threshold | such as 30s
					informer.writer.field-manager=              | informer.writer.field-manager | such as informer-writer
					informer.writer.field-manager=Büro          | informer.writer.field-manager | such as informer-writer
					informer.writer.writes.podz.operations=patch | informer.writer.writes.podz | Did you mean 'pods'?
					informer.writer.writes.my-pods.operations=patch | informer.writer.writes.my-pods | Choose another name
					informer.writer.writes.pods.namespaces=shop | informer.writer.writes.pods.operations | update-status
					""")
	void invalidValue_failsStartupWithKeyAndRemedy(String property, String key, String remedy) {
		this.contextRunner.withPropertyValues(property).run((context) -> {
			Throwable failure = context.getStartupFailure();
			while (failure != null && !(failure instanceof InvalidInformerPropertyException)) {
				failure = failure.getCause();
			}
			assertThat(failure).isInstanceOfSatisfying(InvalidInformerPropertyException.class, (ex) -> {
				assertThat(ex.key()).isEqualTo(key);
				assertThat(ex.action()).contains(remedy);
			});
		});
	}

	@ParameterizedTest
	@CsvSource({ "informer.handlers.audit.queue, all, KEEP_ALL", "informer.resources.pods.indices, owners, OWNER",
			"informer.defaults.mutation-detection, warn, FAIL", "informer.startup.on-timeout, wait, IGNORE",
			"informer.handlers.audit.changes, data, ANNOTATIONS",
			"informer.resources.pods.page-size, many, a whole number",
			"informer.defaults.backoff.max-delay, soon, a duration", "informer.defaults.max-size, huge, a size",
			"informer.writer.writes.pods.operations, replace, UPDATE_STATUS" })
	void valueOfWrongType_failsStartupWithKeyAndAcceptedValues(String key, String value, String expected) {
		this.contextRunner.withPropertyValues(key + "=" + value).run((context) -> {
			FailureAnalysis analysis = SpringFactoriesLoader.forDefaultResourceLocation()
				.load(FailureAnalyzer.class,
						ArgumentResolver.of(Environment.class, new MockEnvironment().withProperty(key, value)),
						FailureHandler.handleMessage((message, failure) -> {
						}))
				.stream()
				.map((analyzer) -> analyzer.analyze(Objects.requireNonNull(context.getStartupFailure())))
				.filter((each) -> each != null)
				.findFirst()
				.orElseThrow();
			assertThat(analysis.getDescription()).contains(key, value);
			assertThat(analysis.getDescription() + analysis.getAction()).contains(expected);
		});
	}

	@ParameterizedTest
	@CsvSource({ "informer.startup.wait=1s", "informer.resources.pods.label=tier", "informer.default.page-size=1",
			"informer.handlers.audit.log.queue=keep-all", "informer.connection.host=one",
			"informer.defaults.backoff.initial=1s", "informer.handlers.audit.retry.max-attempts=1",
			"informer.startup.hold-handlers=false", "informer.writer.writes.pods.verbs=patch" })
	void unknownKey_failsStartup(String property) {
		this.contextRunner.withPropertyValues(property)
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("were left unbound"));
	}

	@Test
	void invalidNamespaceOfWrites_failsStartup() {
		this.contextRunner
			.withPropertyValues("informer.writer.writes.pods.operations=patch",
					"informer.writer.writes.pods.namespaces=Shop")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidInformerPropertyException.class,
						(ex) -> assertThat(ex.key()).isEqualTo("informer.writer.writes.pods.namespaces")));
	}

	@Test
	void converterBean_appliesToValuesOfInformers() {
		this.contextRunner.withUserConfiguration(ConverterConfiguration.class)
			.withPropertyValues("informer.resources.pods.watch-timeout=soon",
					"informer.resources.secrets.metadata-only=true")
			.run((context) -> {
				InformerRegistry registry = context.getBean(InformerRegistry.class);
				assertThat(registry.findInformer("pods").orElseThrow().options().watchTimeout()).hasSeconds(42);
				assertThat(registry.findInformer("secrets").orElseThrow().resourceType().type())
					.isEqualTo(PartialObjectMetadata.class);
			});
	}

	@Test
	void policiesWithoutValues_returnSameValues() {
		assertThat(new Retry(null, null, null, null, null).override(RetryPolicy.DEFAULT))
			.isEqualTo(RetryPolicy.DEFAULT);
		assertThat(new Backoff(null, null, null, null, null).override(BackoffPolicy.DEFAULT))
			.isEqualTo(BackoffPolicy.DEFAULT);
	}

	@Test
	void overriddenDelay_scalesJitter() {
		RetryPolicy policy = new RetryPolicy(3, Duration.ofMillis(200), 2, Duration.ofSeconds(5),
				Duration.ofMillis(50));
		assertThat(new Retry(null, Duration.ofMillis(400), null, null, null).override(policy))
			.isEqualTo(new RetryPolicy(3, Duration.ofMillis(400), 2, Duration.ofSeconds(5), Duration.ofMillis(100)));
		assertThat(new Backoff(Duration.ofMillis(100), null, null, null, null).override(BackoffPolicy.DEFAULT).jitter())
			.hasMillis(100);
	}

	@Test
	void overriddenJitter_isKept() {
		assertThat(new Retry(null, Duration.ofSeconds(2), null, null, Duration.ZERO).override(RetryPolicy.DEFAULT)
			.jitter()).isZero();
	}

	@Test
	void delayOfZero_keepsJitter() {
		RetryPolicy policy = new RetryPolicy(3, Duration.ZERO, 2, Duration.ofSeconds(5), Duration.ofMillis(50));
		assertThat(new Retry(null, Duration.ofSeconds(1), null, null, null).override(policy).jitter()).hasMillis(50);
	}

	@Configuration(proxyBeanMethods = false)
	static class ConverterConfiguration {

		@Bean
		@ConfigurationPropertiesBinding
		static Converter<String, Duration> soonConverter() {
			return new SoonConverter();
		}

	}

	private static final class SoonConverter implements Converter<String, Duration> {

		@Override
		public Duration convert(String text) {
			return text.equals("soon") ? Duration.ofSeconds(42) : DurationStyle.detectAndParse(text);
		}

	}

}
