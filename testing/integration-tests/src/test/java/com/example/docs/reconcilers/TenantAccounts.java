/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.reconcilers;

import com.example.docs.Tenant;
import dev.informer.spring.InformerReconciler;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;

import org.springframework.transaction.support.TransactionTemplate;

/**
 * Reconciler with a database, from the page about controllers.
 */
class TenantAccounts {

	private final TransactionTemplate transactions;

	private final Accounts accounts;

	private final ObjectWriter writer;

	TenantAccounts(TransactionTemplate transactions, Accounts accounts, ObjectWriter writer) {
		this.transactions = transactions;
		this.accounts = accounts;
		this.writer = writer;
	}

	@InformerReconciler
	void reconcile(Tenant tenant) throws ApiException {
		String uid = tenant.getMetadata().getUid();
		Account account = this.transactions.execute((status) -> this.accounts.openIfMissing(uid));
		this.writer.apply(secretOf(account), tenant);
	}

	private static V1Secret secretOf(Account account) {
		return new V1Secret().metadata(new V1ObjectMeta().name("account"))
			.putStringDataItem("account", String.valueOf(account.number()));
	}

	/**
	 * Accounts in a database.
	 */
	interface Accounts {

		Account openIfMissing(String uid);

	}

	/**
	 * Account of a tenant.
	 */
	record Account(long number) {
	}

}
