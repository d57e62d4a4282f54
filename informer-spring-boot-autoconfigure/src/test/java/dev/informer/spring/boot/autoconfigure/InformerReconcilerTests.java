/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

import dev.informer.IndexFunction;
import dev.informer.InformerFactory;
import dev.informer.InvocationGate;
import dev.informer.RetryPolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.reconcilers.Owned;
import dev.informer.reconcilers.ReconcileContext;
import dev.informer.reconcilers.ReconcilerOptions;
import dev.informer.reconcilers.ReconcilerOptions.Reference;
import dev.informer.reconcilers.ReconcilerRegistration;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.reconcilers.Watched;
import dev.informer.replicas.Leadership;
import dev.informer.spring.InformerCleanup;
import dev.informer.spring.InformerHandler.Retry;
import dev.informer.spring.InformerReconciler;
import dev.informer.spring.InformerReconciler.Watches;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.replicas.InformerReplicasAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for reconcilers that are methods of beans.
 */
@Timeout(120)
class InformerReconcilerTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class,
				KubernetesConnectionAutoConfiguration.class, InformerReplicasAutoConfiguration.class))
		.withPropertyValues("informer.connection.url=" + this.kubernetes.url());

	private final ApplicationContextRunner offline = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class,
				KubernetesConnectionAutoConfiguration.class, InformerReplicasAutoConfiguration.class))
		.withPropertyValues("informer.auto-startup=false", "informer.connection.url=https://localhost",
				"spring.application.name=shop")
		.withBean("one", Plain.class);

	@Test
	void reconciler_hasItsObjects_andCleansUp() {
		this.kubernetes.create(configMap("a"));
		this.runner.withUserConfiguration(Index.class).withBean("children", Children.class).run((context) -> {
			assertThat(context.getBean(InformerRegistry.class).informers()).extracting(SharedIndexInformer::name)
				.containsExactlyInAnyOrder("configmaps", "secrets", "serviceaccounts");
			Children children = context.getBean(Children.class);
			idle(context);
			assertThat(this.kubernetes.list("secrets", "default")).singleElement()
				.satisfies((secret) -> assertThat(secret.at("/metadata/ownerReferences/0/name").asString())
					.isEqualTo("a"));
			assertThat(finalizers("a")).isEqualTo("[\"example.com/children\"]");
			assertThat(children.calls).last().asString().endsWith("a 1 secrets, 0 accounts");
			this.kubernetes.create(new V1ServiceAccount().apiVersion("v1")
				.kind("ServiceAccount")
				.metadata(new V1ObjectMeta().namespace("default").name("account-of-a")));
			await().until(() -> last(children).equals("[WATCHED] a 1 secrets, 1 accounts"));
			context.getBean(ObjectWriter.class).delete(secret(context));
			await().until(() -> this.kubernetes.list("secrets", "default").size() == 1
					&& last(children).equals("[OWNED] a 1 secrets, 1 accounts"));
			this.kubernetes.delete("configmaps", "default", "a");
			await().until(() -> this.kubernetes.get("configmaps", "default", "a").isEmpty());
			assertThat(children.calls).endsWith("cleanup 1 a 1 secrets", "cleanup 2 a 1 secrets");
		});
	}

	private static V1Secret secret(ApplicationContext context) {
		return (V1Secret) context.getBean("secretsInformer", SharedIndexInformer.class).lister().list().get(0);
	}

	@Test
	void options_areThoseOfProperties_orTheAnnotation_orTheDefaults() {
		this.offline.withBean("two", Attributes.class)
			.withPropertyValues("test.threads=7", "informer.defaults.reconciler.min-interval=3s",
					"informer.defaults.reconciler.timeout=5s", "informer.reconcilers.two.concurrency=8",
					"informer.reconcilers.two.retry.delay=2s", "informer.reconcilers[one.reconcile].auto-startup=false",
					"informer.reconcilers[one.reconcile].cleanup-unselected=true",
					"informer.defaults.reconciler.cleanup-unselected=false",
					"informer.reconcilers.three.adoption=false", "informer.reconcilers[one.reconcile].adoption=true")
			.run((context) -> {
				ReconcilerOptions<?> one = find(context, "one.reconcile").options();
				assertThat(one.concurrency()).isEqualTo(4);
				assertThat(one.minInterval()).isEqualTo(Duration.ofSeconds(3));
				assertThat(one.timeout()).isEqualTo(Duration.ofSeconds(5));
				assertThat(one.retry()).isEqualTo(ReconcilerOptions.DEFAULT_RETRY);
				assertThat(one.paused()).isTrue();
				assertThat(one.finalizer()).isNull();
				assertThat(one.cleanupUnselected()).isTrue();
				assertThat(one.adoption()).isTrue();
				ReconcilerOptions<?> two = find(context, "two").options();
				assertThat(two.concurrency()).isEqualTo(8);
				assertThat(two.minInterval()).isEqualTo(Duration.ofSeconds(1));
				assertThat(two.timeout()).isEqualTo(Duration.ofSeconds(5));
				assertThat(two.retry()).isEqualTo(
						new RetryPolicy(3, Duration.ofSeconds(2), 2, Duration.ofMinutes(5), Duration.ofSeconds(2)));
				assertThat(two.notRetryable()).isEqualTo(Set.of(IllegalStateException.class));
				assertThat(two.paused()).isFalse();
				assertThat(two.cleanupUnselected()).isFalse();
				assertThat(two.adoption()).isTrue();
				assertThat(find(context, "three").options().adoption()).isFalse();
				assertThat(find(context, "three").options().cleanupUnselected()).isTrue();
				assertThat(two.finalizer()).isEqualTo("example.com/two");
				assertThat(two.owned()).extracting(SharedIndexInformer::name).containsExactly("secrets");
				assertThat(two.gate()).isEqualTo(InvocationGate.OPEN);
			});
	}

	@Test
	void namesOfAnyNamespace_areAskedFor() {
		this.offline.withUserConfiguration(Index.class)
			.withBean("children", Children.class)
			.withBean("any", AnyNamespace.class)
			.run((context) -> {
				assertThat(find(context, "children").options().watched()).extracting(Reference::anyNamespace)
					.containsExactly(false);
				assertThat(find(context, "any.reconcile").options().watched()).extracting(Reference::anyNamespace)
					.containsExactly(true);
			});
	}

	@Test
	void reconciler_isLeaderOnly_ifThereIsAnElection() {
		ApplicationContextRunner leader = this.offline.withPropertyValues("informer.leader.enabled=true",
				"informer.sharding.enabled=true", "informer.leader.elections.billing.lease-name=billing");
		String key = "informer.reconcilers[one.reconcile].";
		leader.run((context) -> assertThat(Leadership.of(gate(context)).orElseThrow().election()).isEqualTo("default"));
		leader.withPropertyValues(key + "leader=billing")
			.run((context) -> assertThat(Leadership.of(gate(context)).orElseThrow().election()).isEqualTo("billing"));
		leader.withPropertyValues(key + "leader-only=false")
			.run((context) -> assertThat(gate(context)).isEqualTo(InvocationGate.OPEN));
		leader.withPropertyValues("informer.defaults.reconciler.leader-only=false")
			.run((context) -> assertThat(gate(context)).isEqualTo(InvocationGate.OPEN));
		leader.withPropertyValues(key + "sharded=true").run((context) -> {
			assertThat(gate(context)).isNotEqualTo(InvocationGate.OPEN);
			assertThat(Leadership.of(gate(context))).isEmpty();
		});
	}

	@Test
	void mapper_isAFunctionBean() {
		this.kubernetes.create(configMap("a"));
		this.kubernetes.create(configMap("b"));
		this.runner.withUserConfiguration(Mapper.class).withBean(Mapped.class).run((context) -> {
			idle(context);
			Mapped mapped = context.getBean(Mapped.class);
			mapped.calls.clear();
			this.kubernetes.create(new V1Secret().apiVersion("v1")
				.kind("Secret")
				.metadata(new V1ObjectMeta().namespace("default").name("b")));
			await().until(() -> mapped.calls.contains("b[WATCHED]"));
			assertThat(mapped.calls).doesNotContain("a[WATCHED]");
		});
	}

	@Test
	void namedInformer_isUsed() {
		this.kubernetes.create(configMap("a"));
		this.runner.withPropertyValues("informer.resources.webmaps.resource=configmaps")
			.withBean(NamedInformer.class)
			.run((context) -> {
				await().until(() -> context.getBean(NamedInformer.class).calls.contains("a"));
				assertThat(context.getBean(Reconcilers.class).registrations().get(0).informer().name())
					.isEqualTo("webmaps");
			});
	}

	@Test
	void beanThatIsNoSingleton_isLookedUpForEachCall() {
		this.kubernetes.create(configMap("a"));
		this.kubernetes.create(configMap("b"));
		List<String> names = new CopyOnWriteArrayList<>();
		this.runner
			.withBean("prototype", Prototype.class, () -> new Prototype(names),
					(definition) -> definition.setScope("prototype"))
			.run((context) -> {
				idle(context);
				assertThat(names).containsExactlyInAnyOrder("a 1", "b 1");
			});
	}

	@Test
	void proxiedBean_isCalledThroughItsProxy() {
		this.kubernetes.create(configMap("a"));
		this.runner.withUserConfiguration(Proxies.class).withBean("proxied", Plain.class).run((context) -> {
			idle(context);
			assertThat(AopUtils.isCglibProxy(context.getBean("proxied"))).isTrue();
			assertThat(context.getBean(Proxies.class).intercepted).containsExactly("reconcile");
		});
	}

	@Test
	void pausedReconciler_isCalledAfterItWasResumed() {
		this.kubernetes.create(configMap("a"));
		this.runner.withBean("one", Plain.class)
			.withPropertyValues("informer.reconcilers[one.reconcile].auto-startup=false")
			.run((context) -> {
				ReconcilerRegistration registration = find(context, "one.reconcile");
				await().until(() -> registration.counts().pending() == 1);
				idle(context);
				assertThat(context.getBean(Plain.class).calls).isEmpty();
				registration.resume();
				await().until(() -> context.getBean(Plain.class).calls.contains("a"));
			});
	}

	@Test
	void reconciler_continuesAfterARestart() {
		this.kubernetes.create(configMap("a"));
		this.runner.withBean("one", Plain.class).run((context) -> {
			InformerRegistry registry = context.getBean(InformerRegistry.class);
			Plain plain = context.getBean(Plain.class);
			idle(context);
			((ConfigurableApplicationContext) context.getSourceApplicationContext()).stop();
			this.kubernetes.create(configMap("b"));
			assertThat(plain.calls).containsExactly("a");
			((ConfigurableApplicationContext) context.getSourceApplicationContext()).start();
			assertThat(registry.isRunning()).isTrue();
			await().until(() -> plain.calls.contains("b"));
			idle(context);
			assertThat(plain.calls).containsExactly("a", "b");
		});
	}

	@Test
	void stop_waitsForTheRunningCall() {
		this.kubernetes.create(configMap("a"));
		this.runner.withBean("blocked", Blocked.class).run((context) -> {
			Blocked blocked = context.getBean(Blocked.class);
			ReconcilerRegistration registration = find(context, "blocked.reconcile");
			blocked.begun.await();
			Thread stop = new Thread(((ConfigurableApplicationContext) context.getSourceApplicationContext())::stop);
			stop.start();
			await().until(() -> registration.diagnose()
				.stream()
				.anyMatch((cause) -> cause.message().equals("The reconciler is not started")));
			assertThat(registration.calls()).hasSize(1);
			blocked.mayEnd.countDown();
			stop.join();
			assertThat(registration.calls()).isEmpty();
			assertThat(blocked.outcome).isEqualTo("ended");
		});
	}

	@Test
	void callThatClosesTheContext_doesNotWaitForItself() {
		this.kubernetes.create(configMap("a"));
		this.runner.withBean("closing", Closing.class).run((context) -> {
			Closing closing = context.getBean(Closing.class);
			closing.mayClose.countDown();
			await().until(() -> !closing.outcome.isEmpty());
			assertThat(closing.outcome).isEqualTo("closed");
		});
	}

	@Test
	void startup_doesNotWaitForAReconciler() {
		this.kubernetes.create(configMap("a"));
		this.runner.withBean("blocked", Blocked.class)
			.withPropertyValues("informer.startup.await-handlers=true")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				context.getBean(Blocked.class).mayEnd.countDown();
			});
	}

	@Test
	void ownReconcilers_replaceThoseOfTheAutoConfiguration() {
		this.kubernetes.create(configMap("a"));
		this.runner.withUserConfiguration(OwnReconcilers.class).withBean("one", Plain.class).run((context) -> {
			assertThat(context).hasSingleBean(Reconcilers.class);
			idle(context);
			assertThat(context.getBean(OwnReconcilers.class).calls).containsExactly("one.reconcile");
		});
	}

	private static void idle(ApplicationContext context) throws InterruptedException {
		assertThat(context.getBean(Reconcilers.class).awaitIdle(LONG)).isTrue();
	}

	private static ReconcilerRegistration find(ApplicationContext context, String name) {
		return context.getBean(Reconcilers.class).find(name).orElseThrow();
	}

	private static InvocationGate gate(ApplicationContext context) {
		return find(context, "one.reconcile").options().gate();
	}

	private String finalizers(String name) {
		return this.kubernetes.get("configmaps", "default", name).orElseThrow().at("/metadata/finalizers").toString();
	}

	private static String last(Children children) {
		return children.calls.get(children.calls.size() - 1);
	}

	private static V1ConfigMap configMap(String name) {
		return TestObjects.configMap("default", name);
	}

	private static String name(V1ConfigMap configMap) {
		return String.valueOf(configMap.getMetadata().getName());
	}

	@Configuration(proxyBeanMethods = false)
	static class Index {

		@Bean
		static IndexFunction<V1ConfigMap> account() {
			return (configMap) -> List.of("account-of-" + name(configMap));
		}

	}

	static class Children {

		final List<String> calls = new CopyOnWriteArrayList<>();

		private final ObjectWriter writer;

		private int cleanups;

		Children(ObjectWriter writer) {
			this.writer = writer;
		}

		@InformerReconciler(id = "children", owns = V1Secret.class, minInterval = "0",
				watches = @Watches(type = V1ServiceAccount.class, index = "account"))
		void reconcile(V1ConfigMap configMap, Watched<V1ServiceAccount> accounts, ReconcileContext context,
				Owned<V1Secret> secrets) throws ObjectWriteException {
			this.calls.add(context.triggers() + " " + name(configMap) + " " + secrets.list().size() + " secrets, "
					+ accounts.list().size() + " accounts");
			if (secrets.list().isEmpty()) {
				this.writer.create(
						new V1Secret().metadata(new V1ObjectMeta().namespace("default").generateName("child-")),
						configMap);
			}
		}

		@InformerCleanup("example.com/${test.finalizer:children}")
		@Nullable Duration cleanUp(V1ConfigMap configMap, Owned<V1Secret> secrets) {
			this.cleanups++;
			this.calls
				.add("cleanup " + this.cleanups + " " + name(configMap) + " " + secrets.list().size() + " secrets");
			return (this.cleanups == 1) ? Duration.ofMillis(1) : null;
		}

	}

	static class AnyNamespace {

		@InformerReconciler(watches = @Watches(type = V1ServiceAccount.class, index = "account", anyNamespace = true))
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class Plain {

		final List<String> calls = new CopyOnWriteArrayList<>();

		@InformerReconciler
		void reconcile(V1ConfigMap configMap) {
			this.calls.add(name(configMap));
		}

	}

	static class Attributes {

		@InformerReconciler(id = "two", owns = V1Secret.class, concurrency = "${test.threads}", minInterval = "1s",
				retry = @Retry(maxRetries = "3", delay = "1s"), notRetryable = IllegalStateException.class,
				adoption = "true")
		void reconcile(V1ConfigMap configMap) {
		}

		@InformerReconciler(id = "three", cleanupUnselected = "true", adoption = "true")
		void other(V1ConfigMap configMap) {
		}

		@InformerCleanup(value = "example.com/two", reconciler = "two")
		void cleanUp(V1ConfigMap configMap) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Mapper {

		@Bean
		Function<V1Secret, List<String>> sameName() {
			return (secret) -> List.of("default/" + Objects.requireNonNull(secret.getMetadata()).getName());
		}

	}

	static class Mapped {

		final List<String> calls = new CopyOnWriteArrayList<>();

		@InformerReconciler(watches = @Watches(type = V1Secret.class, mapper = "sameName"))
		void reconcile(V1ConfigMap configMap, ReconcileContext context) {
			this.calls.add(name(configMap) + context.triggers());
		}

	}

	static class NamedInformer {

		final List<String> calls = new CopyOnWriteArrayList<>();

		@InformerReconciler(informer = "webmaps")
		void reconcile(V1ConfigMap configMap) {
			this.calls.add(name(configMap));
		}

	}

	static class Prototype {

		private final List<String> names;

		private int calls;

		Prototype(List<String> names) {
			this.names = names;
		}

		@InformerReconciler
		void reconcile(V1ConfigMap configMap) {
			this.calls++;
			this.names.add(name(configMap) + " " + this.calls);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Proxies {

		final List<String> intercepted = new CopyOnWriteArrayList<>();

		@Bean
		MethodInterceptor recording() {
			return (invocation) -> {
				this.intercepted.add(invocation.getMethod().getName());
				return invocation.proceed();
			};
		}

		@Bean
		static BeanNameAutoProxyCreator proxies() {
			BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
			creator.setBeanNames("proxied");
			creator.setInterceptorNames("recording");
			creator.setProxyTargetClass(true);
			return creator;
		}

	}

	static class Blocked {

		final CountDownLatch begun = new CountDownLatch(1);

		final CountDownLatch mayEnd = new CountDownLatch(1);

		volatile String outcome = "running";

		@InformerReconciler
		void reconcile(V1ConfigMap configMap) throws InterruptedException {
			this.begun.countDown();
			this.outcome = "interrupted";
			this.mayEnd.await();
			this.outcome = "ended";
		}

	}

	static class Closing {

		final CountDownLatch mayClose = new CountDownLatch(1);

		volatile String outcome = "";

		private final ConfigurableApplicationContext context;

		Closing(ConfigurableApplicationContext context) {
			this.context = context;
		}

		@InformerReconciler
		void reconcile(V1ConfigMap configMap) throws InterruptedException {
			this.mayClose.await();
			this.context.close();
			this.outcome = Thread.currentThread().isInterrupted() ? "interrupted" : "closed";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnReconcilers {

		final List<String> calls = new CopyOnWriteArrayList<>();

		@Bean
		Reconcilers reconcilers(InformerFactory factory, ObjectWriter writer) {
			return Reconcilers.of(factory, writer, (call) -> {
				this.calls.add(call.reconciler().name());
				call.proceed();
			});
		}

	}

}
