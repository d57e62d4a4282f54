/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

import dev.informer.InformerFactory;
import dev.informer.recorder.EventRecorder;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.support.TestInformerFactory;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.ReceivedRequest;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.writer.ObjectWrite;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import dev.informer.writer.WriteInterceptor;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the {@link ObjectWriter} of an application and its interceptors.
 */
class ObjectWriterTests {

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withPropertyValues("informer.connection.url=" + this.kubernetes.url());

	@Test
	void applicationWithoutInformers_writes() {
		this.runner.run((context) -> {
			assertThat(context.getBean(InformerRegistry.class).informers()).isEmpty();
			ObjectWriter writer = context.getBean(ObjectWriter.class);
			V1ConfigMap created = writer.create(configMap());
			created.putDataItem("color", "blue");
			V1ConfigMap updated = writer.update(created);
			V1ConfigMap patched = writer.patch(updated, (copy) -> copy.putDataItem("size", "big"));
			assertThat(this.kubernetes.get("configmaps", "default", "one").orElseThrow().path("data").toString())
				.isEqualTo("{\"color\":\"blue\",\"size\":\"big\"}");
			assertThat(writer.delete(patched)).isTrue();
			assertThat(this.kubernetes.list("configmaps", "default")).isEmpty();
		});
	}

	@Test
	void nothingIsSentOrConnected_beforeFirstWrite() {
		this.runner.run((context) -> {
			ObjectWriter writer = context.getBean(ObjectWriter.class);
			assertThat(context.getBeanFactory().containsSingleton("kubernetesApiClient")).isFalse();
			assertThat(this.kubernetes.requests()).isEmpty();
			writer.create(configMap());
			assertThat(context.getBeanFactory().containsSingleton("kubernetesApiClient")).isTrue();
		});
	}

	@Test
	void firstWriteOfDestroyMethod_failsWithRemedy() {
		AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
		this.runner.withBean(LastWrite.class, failure).run((context) -> assertThat(context).hasNotFailed());
		assertThat(failure.get()).isInstanceOf(IllegalStateException.class)
			.hasMessage("Cannot connect to the API server: the application context destroys its beans, and the "
					+ "connection was not used before. Inject the ApiClient into the bean whose destroy method needs it.");
	}

	@Test
	void writeOfDestroyMethod_isSent_afterAnother() {
		AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
		this.runner.withBean(LastWrite.class, failure)
			.run((context) -> context.getBean(ObjectWriter.class).create(TestObjects.configMap("default", "two")));
		assertThat(failure.get()).isNull();
		assertThat(this.kubernetes.list("configmaps", "default")).hasSize(2);
	}

	@Test
	void firstWriteOfDestroyMethod_isSent_withTheClientInjected() {
		AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
		this.runner.withBean(LastWriteWithClient.class, failure).run((context) -> assertThat(context).hasNotFailed());
		assertThat(failure.get()).isNull();
		assertThat(this.kubernetes.list("configmaps", "default")).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource({ "shop, , shop", "Shop Front, , Shop Front", "Büro, , B-ro", "'', , informer-writer",
			"shop, shop-controller, shop-controller" })
	void fieldManager_isPropertyOrNameOfApplication(String application, String property, String expected) {
		this.runner.withPropertyValues("spring.application.name=" + application)
			.withPropertyValues(
					(property != null) ? new String[] { "informer.writer.field-manager=" + property } : new String[0])
			.run((context) -> {
				context.getBean(ObjectWriter.class).create(configMap());
				assertThat(this.kubernetes.requests(Verb.CREATE, "configmaps")).extracting(ReceivedRequest::query)
					.containsExactly(Map.of("fieldManager", expected));
			});
	}

	@Test
	void longNameOfApplication_isShortened() {
		this.runner.withPropertyValues("spring.application.name=" + "x".repeat(200))
			.run((context) -> assertThat(context).hasSingleBean(ObjectWriter.class));
	}

	@ParameterizedTest
	@CsvSource({ "shop, shop", "Büro & Co, B-ro---Co", "'', informer", "-.-, informer" })
	void eventRecorder_isNamedAfterTheApplication_andWritesBeforeItIsClosed(String application, String expected) {
		this.runner.withPropertyValues("spring.application.name=" + application)
			.run((context) -> context.getBean(EventRecorder.class)
				.normal(context.getBean(ObjectWriter.class).create(configMap()), "Created", "Create", "note"));
		assertThat(this.kubernetes.list("events.events.k8s.io", "default")).singleElement()
			.satisfies((event) -> assertThat(event.path("reportingController").asString()).isEqualTo(expected));
	}

	@Test
	void longNameOfApplication_isThatOfAController() {
		this.runner.withPropertyValues("spring.application.name=" + "x".repeat(62) + "-y")
			.run((context) -> assertThat(context).hasSingleBean(EventRecorder.class));
	}

	@Test
	void ownWriter_replacesThatOfTheAutoConfiguration() {
		ObjectWriter own = ObjectWriter.of(new TestInformerFactory(), "own");
		this.runner.withBean(ObjectWriter.class, () -> own)
			.withPropertyValues("informer.writer.field-manager=")
			.run((context) -> assertThat(context.getBean(ObjectWriter.class)).isSameAs(own));
	}

	@Test
	void childContext_hasItsOwnWriter() {
		this.runner.run((parent) -> this.runner.withParent(parent)
			.run((context) -> assertThat(context.getBean(ObjectWriter.class))
				.isNotSameAs(parent.getBean(ObjectWriter.class))));
	}

	@Test
	void interceptors_areInvokedInOrder_eachWithinTheOneBefore() {
		this.runner.withUserConfiguration(Recording.class).run((context) -> {
			ObjectWriter writer = context.getBean(ObjectWriter.class);
			List<String> calls = context.getBean(Calls.class).calls;
			writer.create(configMap());
			assertThat(calls).containsExactly("first CREATE configmaps default one", "second", "second SUCCESS",
					"first SUCCESS");
			calls.clear();
			this.kubernetes.faults().always(Verb.CREATE, "configmaps", Fault.status(403));
			assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> writer.create(configMap()));
			assertThat(calls).containsExactly("first CREATE configmaps default one", "second");
		});
	}

	@Test
	void interceptorThatDoesNotProceed_failsTheWrite() {
		this.runner.withUserConfiguration(Recording.class)
			.withBean("refusing", Refusing.class, Refusing::new)
			.run((context) -> {
				assertThatIllegalStateException()
					.isThrownBy(() -> context.getBean(ObjectWriter.class).create(configMap()))
					.withMessageContaining(Refusing.class.getName());
				assertThat(this.kubernetes.requests()).isEmpty();
			});
	}

	@Test
	void ownFactory_isUsed() {
		this.runner.withBean(InformerFactory.class, TestInformerFactory::new)
			.run((context) -> assertThat(context).hasSingleBean(ObjectWriter.class));
	}

	private static V1ConfigMap configMap() {
		return TestObjects.configMap("default", "one");
	}

	@Configuration(proxyBeanMethods = false)
	static class Recording {

		@Bean
		Calls calls() {
			return new Calls();
		}

		@Bean
		@Order(2)
		WriteInterceptor second(Calls calls) {
			return (write) -> {
				calls.calls.add("second");
				calls.calls.add("second " + write.proceed());
			};
		}

		@Bean
		@Order(1)
		WriteInterceptor first(Calls calls) {
			return (write) -> {
				calls.calls.add("first " + write.operation() + " " + write.resourceType().plural() + " "
						+ write.namespace() + " " + write.name());
				calls.calls.add("first " + write.proceed());
			};
		}

	}

	static class Calls {

		final List<String> calls = new CopyOnWriteArrayList<>();

	}

	static class Refusing implements WriteInterceptor {

		@Override
		public void intercept(ObjectWrite write) {
		}

	}

	/**
	 * Bean that writes when the application ends.
	 */
	static class LastWrite implements DisposableBean {

		private final AtomicReference<@Nullable Throwable> failure;

		@Autowired
		@Nullable ObjectWriter writer;

		LastWrite(AtomicReference<@Nullable Throwable> failure) {
			this.failure = failure;
		}

		@Override
		public void destroy() {
			try {
				Objects.requireNonNull(this.writer).create(configMap());
			}
			catch (Exception ex) {
				this.failure.set(ex);
			}
		}

	}

	static class LastWriteWithClient extends LastWrite {

		@Autowired
		@Nullable ApiClient client;

		LastWriteWithClient(AtomicReference<@Nullable Throwable> failure) {
			super(failure);
		}

	}

}
