/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.reconcilers.ReconcileContext;
import dev.informer.reconcilers.ReconcilerRegistration;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.spring.InformerReconciler;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.RollbackOn;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for reconcilers that write to a database as well, as "With a database" of the
 * documentation says.
 */
@Timeout(120)
class TransactionalReconcilerTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final String CONFLICTS = "informer.defaults.reconciler.conflict-exceptions=";

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withPropertyValues("informer.connection.url=" + this.kubernetes.url(),
				"informer.defaults.reconciler.retry.delay=1ms", "informer.defaults.reconciler.retry.jitter=0",
				"informer.defaults.reconciler.min-interval=0");

	@Test
	void transactionalMethod_commitsWhenAWriteFails() {
		refuseFirstWrite();
		this.runner.withUserConfiguration(Transactions.class)
			.withBean("accounts", Accounts.class)
			.run((context) -> assertThat(transactions(context)).containsExactly("commit", "commit"));
	}

	@Test
	void transactionalMethod_thatRollsBackForCheckedExceptions_rollsBack() {
		refuseFirstWrite();
		this.runner.withUserConfiguration(Transactions.class)
			.withBean("accounts", RolledBackAccounts.class)
			.run((context) -> assertThat(transactions(context)).containsExactly("rollback", "commit"));
	}

	@Test
	void transactionManagement_canRollBackForAllExceptions() {
		refuseFirstWrite();
		this.runner.withUserConfiguration(AllExceptions.class)
			.withBean("accounts", Accounts.class)
			.run((context) -> assertThat(transactions(context)).containsExactly("rollback", "commit"));
	}

	@Test
	void template_endsBeforeTheWrite() {
		refuseFirstWrite();
		this.runner.withUserConfiguration(Transactions.class)
			.withBean("accounts", TemplateAccounts.class)
			.run((context) -> assertThat(transactions(context)).containsExactly("commit", "commit"));
		assertThat(this.kubernetes.list("secrets", "default")).hasSize(1);
	}

	@Test
	void optimisticLockingFailure_isAFailure_unlessItsClassIsAConflict() {
		this.kubernetes.create(TestObjects.configMap("default", "a"));
		for (String property : List.of("", ConcurrencyFailureException.class.getName(), Exception.class.getName())) {
			this.runner.withUserConfiguration(Transactions.class)
				.withPropertyValues(CONFLICTS + property)
				.withBean("accounts", LockedAccounts.class)
				.run((context) -> {
					LockedAccounts accounts = context.getBean(LockedAccounts.class);
					await().until(() -> accounts.attempts.size() == 2);
					assertThat(accounts.attempts).containsExactly(1, property.isEmpty() ? 2 : 1);
					assertThat(transactions(context)).containsExactly("rollback", "commit");
				});
		}
	}

	@Test
	void conflictExceptions_areThoseOfAProperty_orTheAnnotation_orTheDefaults() {
		this.runner.withUserConfiguration(Transactions.class)
			.withPropertyValues("informer.auto-startup=false", CONFLICTS + "java.io.UncheckedIOException",
					"informer.reconcilers.both.conflict-exceptions="
							+ "org.springframework.dao.ConcurrencyFailureException,java.io.IOException")
			.withBean("accounts", Accounts.class)
			.withBean("annotated", Annotated.class)
			.run((context) -> {
				assertThat(conflictExceptions(context, "accounts.reconcile"))
					.containsExactly(UncheckedIOException.class);
				assertThat(conflictExceptions(context, "annotated.reconcile"))
					.containsExactly(OptimisticLockingFailureException.class);
				assertThat(conflictExceptions(context, "both"))
					.containsExactlyInAnyOrder(ConcurrencyFailureException.class, IOException.class);
			});
	}

	private static Set<Class<? extends Throwable>> conflictExceptions(ApplicationContext context, String name) {
		return find(context, name).options().conflictExceptions();
	}

	private static ReconcilerRegistration find(ApplicationContext context, String name) {
		return context.getBean(Reconcilers.class).find(name).orElseThrow();
	}

	private void refuseFirstWrite() {
		this.kubernetes.create(TestObjects.configMap("default", "a"));
		this.kubernetes.faults().next(1, Verb.PATCH, "secrets", Fault.status(403));
	}

	private List<String> transactions(ApplicationContext context) throws InterruptedException {
		List<String> ends = context.getBean(RecordedTransactions.class).ends;
		await().until(() -> ends.size() >= 2);
		assertThat(context.getBean(Reconcilers.class).awaitIdle(LONG)).isTrue();
		return ends;
	}

	private static V1Secret secretOf(V1ConfigMap owner) {
		return new V1Secret()
			.metadata(new V1ObjectMeta().namespace("default").name(String.valueOf(owner.getMetadata().getName())));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Transactions {

		@Bean
		RecordedTransactions transactions() {
			return new RecordedTransactions();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(rollbackOn = RollbackOn.ALL_EXCEPTIONS)
	static class AllExceptions {

		@Bean
		RecordedTransactions transactions() {
			return new RecordedTransactions();
		}

	}

	/**
	 * Transactions without a database.
	 */
	@SuppressWarnings("serial")
	static class RecordedTransactions extends AbstractPlatformTransactionManager {

		private final List<String> ends = new CopyOnWriteArrayList<>();

		@Override
		protected Object doGetTransaction() {
			return "transaction";
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			this.ends.add("commit");
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			this.ends.add("rollback");
		}

	}

	static class Accounts {

		private final ObjectWriter writer;

		Accounts(ObjectWriter writer) {
			this.writer = writer;
		}

		@InformerReconciler
		@Transactional
		public void reconcile(V1ConfigMap configMap) throws ApiException {
			this.writer.apply(secretOf(configMap), configMap);
		}

	}

	static class RolledBackAccounts {

		private final ObjectWriter writer;

		RolledBackAccounts(ObjectWriter writer) {
			this.writer = writer;
		}

		@InformerReconciler
		@Transactional(rollbackFor = ApiException.class)
		public void reconcile(V1ConfigMap configMap) throws ApiException {
			this.writer.apply(secretOf(configMap), configMap);
		}

	}

	static class TemplateAccounts {

		private final ObjectWriter writer;

		private final TransactionTemplate transactions;

		TemplateAccounts(ObjectWriter writer, PlatformTransactionManager transactions) {
			this.writer = writer;
			this.transactions = new TransactionTemplate(transactions);
		}

		@InformerReconciler
		void reconcile(V1ConfigMap configMap) throws ApiException {
			V1Secret account = this.transactions.execute((status) -> secretOf(configMap));
			this.writer.apply(account, configMap);
		}

	}

	static class LockedAccounts {

		private final List<Integer> attempts = new CopyOnWriteArrayList<>();

		private final TransactionTemplate transactions;

		LockedAccounts(PlatformTransactionManager transactions) {
			this.transactions = new TransactionTemplate(transactions);
		}

		@InformerReconciler
		void reconcile(V1ConfigMap configMap, ReconcileContext context) {
			this.attempts.add(context.attempt());
			this.transactions.executeWithoutResult((status) -> {
				if (this.attempts.size() == 1) {
					throw new OptimisticLockingFailureException("another transaction has changed the row");
				}
			});
		}

	}

	static class Annotated {

		@InformerReconciler(conflictExceptions = OptimisticLockingFailureException.class)
		void reconcile(V1ConfigMap configMap) {
		}

		@InformerReconciler(id = "both", conflictExceptions = OptimisticLockingFailureException.class)
		void both(V1ConfigMap configMap) {
		}

	}

}
